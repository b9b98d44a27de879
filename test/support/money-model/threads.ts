import { createHash } from 'node:crypto';
import { intake, type IntakeAccepted } from '../../../api/intake/intake.ts';
import { createThreads, type ApiThreads } from '../../../api/threads/client.ts';
import type { ApiTasks } from '../../../api/threads/entry.ts';
import type { ObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import type { ThreadPool } from '../../../infra/drivers/threads/pool-types.ts';
import { bytesOf, createBody } from '../requests.ts';

/** What a caller of these tests sends: the rest of the request is the same each time. */
export interface Sent {
  readonly name?: string;
  readonly windows?: number;
  readonly days?: number | null;
  readonly defer?: boolean;
}

const kinds = ['create', 'batch', 'predict'] as const;
const { description: _description, labels, ...signal } = createBody();
const bodies = { create: createBody(), batch: { ...signal, labels }, predict: signal };

type Tasks = {
  readonly [K in keyof ApiTasks]: (input: Parameters<ApiTasks[K]>[0]) => Promise<Awaited<ReturnType<ApiTasks[K]>>>;
};

/** The tasks of the API's threads without their numerics: a body says how many windows it has. */
export function createPlainThreads(objects: ObjectStore): ApiThreads {
  const read = Object.fromEntries(
    kinds.map((what) => {
      const result = intake(bytesOf(bodies[what]), what);
      if (!result.ok) throw new Error(result.error.message);
      return [what, result];
    }),
  ) as Record<(typeof kinds)[number], IntakeAccepted>;
  const one = new Uint8Array([1]);
  const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
  const tasks: Tasks = {
    hash: async ({ body }) => hashOf(body),
    async intake({ body, what }) {
      const sent = JSON.parse(Buffer.from(body).toString()) as Sent;
      const accepted = read[what];
      const create = { name: sent.name ?? null, expires_in_days: sent.days ?? null, defer_fit: sent.defer ?? false };
      return {
        ...accepted,
        hash: hashOf(body),
        windows: sent.windows ?? accepted.windows,
        envelope: { ...accepted.envelope, ...(what === 'create' ? create : {}) },
      };
    },
    refuse: async () => undefined,
    match: async () => ({
      match: { kind: 'none', nearest: [] },
      category: 'motor',
      unreadable: null,
      nearestSeconds: 0,
      network: null,
      networkEvidence: {},
    }),
    plan: async () => ({
      kind: 'motor',
      category: 'motor',
      classes: ['left', 'right'],
      candidates: [{ id: 'csp-lda', version: '1', title: 'CSP + LDA', family: 'csp' }],
      skipped: [],
      findings: [],
      cost: { trials: 0, bytes: 0, threadBytes: 0, seconds: 0 },
      featureSets: ['cov/8-32'],
      warnings: [],
    }),
    stage: async ({ name }) => objects.put(name, one),
    async storeBatch({ name }) {
      await objects.put(name, one);
      return { notes: [], pins: [], bytes: 1_000, featureSets: ['cov/8-32'] };
    },
    predict: async () => ({ data: '[]', priors: { kind: 'balanced', classes: {} }, warnings: [] }),
    async label({ body, mostWindows }) {
      const read = await tasks.intake({ body, what: 'predict' });
      const isPaid = read.ok && read.windows <= mostWindows;
      return { read, labelled: isPaid ? { ok: true, answered: await tasks.predict({} as never) } : null, body };
    },
  };
  const run = (task: keyof ApiTasks, input: never): Promise<unknown> => tasks[task](input);
  return createThreads({ run, load: 0, loadOf: () => 0 } as unknown as ThreadPool<ApiTasks>);
}
