import { z } from 'zod';
import { quotaNames, type QuotaName } from '../../../infra/contract/quotas.ts';
import { scopes } from '../../../infra/contract/scopes.ts';

/**
 * Responses for the account pages, all under `/dashboard/api`. Money is decimal strings in US dollars, times are ISO
 * 8601 in UTC. Texts that an account holder wrote are returned unchanged.
 */

const usd = z.string();
const instant = z.iso.datetime();
const mode = z.enum(['live', 'test']);
const page = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), next_before: z.string().nullable() });

/** Visible before sign-in. */
export const door = z.object({
  sign_up: z.enum(['open', 'invitation', 'closed']),
  terms: z.object({ version: z.string(), text: z.string() }),
  serving: z.boolean(),
  message: z.string(),
});
export type Door = z.infer<typeof door>;

/** The signed-in account. `csrf` goes into the header `x-csrf-token` of every request that changes data. */
export const me = z.object({
  account_id: z.string(),
  email: z.string(),
  created: instant,
  csrf: z.string(),
  terms: z.object({ current: z.string(), accepted: z.string().nullable(), accepted_at: instant.nullable() }),
  /** The operator has not granted the free credit yet. */
  credit_waits: z.boolean(),
  suspended_since: instant.nullable(),
  balance_usd: usd,
  held_usd: usd,
});
export type Me = z.infer<typeof me>;

export const key = z.object({
  key_id: z.string(),
  /** The visible part of the key: `eeg_live_` or `eeg_test_` and the id. */
  prefix: z.string(),
  name: z.string().nullable(),
  mode,
  scopes: z.array(z.enum(scopes)),
  allow_ips: z.array(z.string()),
  created: instant,
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  last_used_at: instant.nullable(),
});
export type Key = z.infer<typeof key>;
const keyList = z.object({ data: z.array(key) });
export type KeyList = z.infer<typeof keyList>;
/** The only answer that contains the whole key. */
export const newKey = key.extend({ key: z.string() });
export type NewKeyAnswer = z.infer<typeof newKey>;
/** A new key with the settings of another one. The old key works until it is revoked. */
const rotatedKey = newKey.extend({
  replaces: z.object({ key_id: z.string(), works_until: z.literal('it is revoked') }),
});
export type RotatedKey = z.infer<typeof rotatedKey>;

/**
 * Newest first. `amount_usd`: the change of the available balance. `balance_usd`: the balance afterwards.
 * `charged_usd`: the charge (negative: a refund). A charge that was reserved before does not change the balance.
 */
const ledgerLine = z.object({
  at: instant,
  kind: z.string(),
  model_id: z.string().nullable(),
  model_name: z.string().nullable(),
  windows: z.string().nullable(),
  note: z.string().nullable(),
  amount_usd: usd,
  charged_usd: usd,
  balance_usd: usd,
});
export type LedgerLine = z.infer<typeof ledgerLine>;
export const billing = z.object({ balance_usd: usd, held_usd: usd, ...page(ledgerLine).shape });
export type Billing = z.infer<typeof billing>;

/** One row for each UTC day, the oldest first, including days without usage. Money is of live keys only. */
export const usageDays = z.object({
  data: z.array(
    z.object({
      day: z.iso.date(),
      requests: z.int(),
      refused: z.int(),
      windows: z.int(),
      test_windows: z.int(),
      create_usd: usd,
      hosting_usd: usd,
      predict_usd: usd,
      usd,
    }),
  ),
});
export type UsageDays = z.infer<typeof usageDays>;

/** Requests by key or from these pages, newest first, without bodies. `code=refused` leaves out successful requests. */
const requestLog = page(
  z.object({
    request_id: z.string(),
    at: instant,
    endpoint: z.string(),
    /** Method and route, such as `POST /v1/task-models`. */
    route: z.string(),
    status: z.int(),
    code: z.string(),
    /** `dashboard`: a request of these pages. */
    key_id: z.string(),
    key_name: z.string().nullable(),
    mode,
    windows: z.int(),
    usd,
  }),
);
export type RequestLog = z.infer<typeof requestLog>;

/** The account sets the caps (null: no cap). The operator sets the other values. */
const accountLimits = z.object({
  daily_cap_usd: usd.nullable(),
  monthly_cap_usd: usd.nullable(),
  spent_today_usd: usd,
  spent_this_month_usd: usd,
  rps: z.int(),
  burst: z.int(),
  concurrency: z.int(),
  daily_estimates: z.int(),
  daily_windows: z.int().nullable(),
  monthly_windows: z.int().nullable(),
  /** In the order of the quota table. Times are ISO 8601. */
  quotas: z.array(
    z.object({
      name: z.enum(quotaNames as [QuotaName, ...QuotaName[]]),
      kind: z.enum(['daily', 'stored', 'running']),
      unit: z.enum(['count', 'bytes']),
      used: z.int(),
      limit: z.int().nullable(),
      /** When an allowance restarts, or when the next part of an amount expires; null: nothing expires. */
      frees_at: instant.nullable(),
    }),
  ),
});
export type AccountLimitsAnswer = z.infer<typeof accountLimits>;

/** Running fits, with the progress of each candidate. */
export const jobs = z.object({
  data: z.array(
    z.object({
      job_id: z.string(),
      model_id: z.string(),
      name: z.string().nullable(),
      description: z.string(),
      mode,
      started: instant,
      candidates: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          status: z.enum(['running', 'scored', 'failed', 'dropped']),
          balanced_accuracy: z.number().nullable(),
          reason: z.string().nullable(),
          seconds: z.number().nullable(),
        }),
      ),
    }),
  ),
});
export type JobsAnswer = z.infer<typeof jobs>;

/** Whether a model is live or a test, and its status, also after its end. Both are null if the account never had it. */
const modelState = z.object({
  mode: mode.nullable(),
  status: z.enum(['collecting', 'active', 'expired', 'deleted']).nullable(),
});
export type ModelStateAnswer = z.infer<typeof modelState>;

/** A link with which anybody reads the report of a model. */
const shareLink = z.object({ share_id: z.string(), created: instant });
export type ShareLinkAnswer = z.infer<typeof shareLink>;
const shareLinkList = z.object({ data: z.array(shareLink) });
export type ShareLinkList = z.infer<typeof shareLinkList>;
/** The only answer that contains the address, as a path of this service. */
const newShareLink = shareLink.extend({ path: z.string() });
export type NewShareLink = z.infer<typeof newShareLink>;
/** The report that a share link shows. */
export type { SharedReport } from '../../../infra/contract/shared-report.ts';
/** A share link after its end. */
const endedShareLink = z.object({ share_id: z.string(), ended: z.literal(true) });
export type EndedShareLink = z.infer<typeof endedShareLink>;

const ending = {
  account_id: z.string(),
  /** Of the balance. `unspent` says what happens to it. */
  unspent_usd: usd,
  unspent: z.string(),
  /** What is kept, and why. */
  kept: z.array(z.string()),
};

/** The effect of closing the account now (GET /close). If it is not possible, `reasons` say what to do. */
export const closing = z.object({
  ...ending,
  possible: z.boolean(),
  reasons: z.array(z.string()),
  models: z.int(),
  keys: z.int(),
});
export type Closing = z.infer<typeof closing>;
/** The account is closed and all its sessions have ended. */
export const closed = z.object({
  ...ending,
  closed_at: instant,
  models_deleted: z.int(),
  keys_revoked: z.int(),
});
export type Closed = z.infer<typeof closed>;

/** The error object of the whole API (`infra/contract/errors.ts`). */
export interface ErrorAnswer {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  /** Empty: no part of the request is at fault. */
  readonly field: string;
  /** Fields to change in the request; pages do not show them. */
  readonly alternatives: readonly Readonly<Record<string, unknown>>[];
  readonly details: {
    readonly request_id: string;
    /** The exhausted quota of the account. */
    readonly quota?: string;
    readonly errors?: readonly { field: string; message: string }[];
    /** Why each method cannot read the trials, where none can. */
    readonly skipped?: readonly { readonly reason: string }[];
  };
}
