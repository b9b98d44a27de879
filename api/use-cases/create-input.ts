import { countLabels } from '../../infra/contract/class-counts.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import type { Finding, Trials } from '../../ml/types.ts';
import type { CreateRequest } from '../contract/requests.ts';
import type { ApiDeps } from '../deps.ts';
import type { RequestContext } from '../http/request.ts';
import { expiryOf } from '../intake/expiry.ts';
import type { IntakeAccepted } from '../intake/intake.ts';
import type { Plan } from '../intake/plan-fit.ts';
import { priorOf, type PriorPlan } from './prior.ts';
import { encodersOf } from './encoders-of.ts';

/** A create request without its numbers. */
export type SentCreate = Omit<CreateRequest, 'x'>;

/** A create after intake, task reading and selection. */
export interface CreateInput {
  readonly context: RequestContext;
  readonly create: SentCreate;
  readonly plan: Plan;
  /** The prior from other people's recordings. */
  readonly prior: PriorPlan;
  readonly trialsPerClass: Readonly<Record<string, number>>;
  readonly trials: Trials;
  readonly signal: SignalReport;
  /** Findings about the data. `signal.warnings` contains the same. */
  readonly findings: readonly Finding[];
  readonly sessions: readonly (string | null)[] | null;
  /** Recording of each trial by `normalization_context`. */
  readonly recordings: readonly string[] | null;
  readonly windows: number;
  readonly expiresAt: Date | null;
}

/** Reads the task, looks for recordings of other people, and chooses methods. Throws for an unsupported task. */
export async function planCreate(
  deps: ApiDeps,
  context: RequestContext,
  create: SentCreate,
  intake: IntakeAccepted,
): Promise<CreateInput> {
  const trials = intake.trials!;
  const signal = intake.signal!;
  const trialsPerClass = Object.fromEntries(countLabels(create.labels));
  const baselineSeconds = create.parameters.baseline_seconds ?? null;
  const { accountId, at } = context.caller;
  const seconds = signal.seconds_per_trial;
  const prior = await priorOf(deps, {
    accountId,
    description: create.description,
    classes: Object.keys(trialsPerClass),
    shape: { channelNames: intake.channelNames, seconds, sourceRateHz: create.sampling_rate_hz },
    baselineSeconds: baselineSeconds ?? 0,
    at,
    fits: !create.dry_run && !create.defer_fit,
  });
  const plan = await deps.threads.plan(accountId, {
    description: create.description,
    trialsPerClass,
    channelNames: intake.channelNames,
    sourceRateHz: create.sampling_rate_hz,
    samples: trials.samples,
    seconds,
    sessions: new Set(intake.sessions).size || 1,
    storedFeaturesOnly: create.defer_fit,
    missingChannels: create.missing_channels,
    encoders: await encodersOf(deps, { storedFeaturesOnly: create.defer_fit }),
    ...(prior.reference ? { reference: prior.reference } : {}),
    ...(prior.network ? { network: prior.network } : {}),
    ...(trials.positions ? { positions: trials.positions } : {}),
    ...(baselineSeconds === null ? {} : { baselineSeconds }),
    ...(intake.contexts ? { recordings: new Set(intake.contexts).size } : {}),
  });
  return {
    context,
    create,
    plan,
    prior,
    trialsPerClass,
    trials,
    signal,
    findings: intake.findings,
    sessions: intake.sessions,
    recordings: intake.contexts,
    windows: intake.windows,
    expiresAt: expiryOf(create, at),
  };
}
