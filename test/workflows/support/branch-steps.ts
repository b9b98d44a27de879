import { setTimeout as sleep } from 'node:timers/promises';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { Activities, Lifecycle, Scored } from '../../../activities/activities.ts';
import type { FitOutcome, FitRequest } from '../../../infra/contract/fit-request.ts';

/** What a branch may do: the client, the queue, the server's clock. */
export interface Stage {
  readonly client: Client;
  readonly taskQueue: string;
  now(): Promise<number>;
  sleep(ms: number): Promise<void>;
}

export interface Branch {
  /** File name of its histories. */
  readonly name: string;
  readonly what: string;
  /** Waits for days: it needs a server whose clock jumps over timers. */
  readonly takesDays?: boolean;
  readonly activities: (calls: string[]) => Partial<Activities>;
  readonly drive: (stage: Stage, modelId: string) => Promise<unknown>;
  /** Activities in the order they were called, without `readLifecycle` and without immediate repetitions. */
  readonly calls: readonly string[];
  /** `calls` are sorted: their order may differ from run to run. */
  readonly inAnyOrder?: boolean;
  readonly result?: unknown;
}

const candidates = ['tangent', 'csp', 'power'].map((id) => ({
  id,
  version: '1',
  title: `Method ${id}`,
  family: 'family',
}));

export const requestFor = (modelId: string, jobId = 'job-1'): FitRequest => ({
  jobId,
  modelId,
  accountId: 'account',
  mode: 'live',
  taskKind: 'motor',
  source: { staged: `staged/${modelId}/${jobId}` },
  candidates,
  skipped: [],
  bytes: 0,
  cpuSeconds: 0,
  featureSets: ['cov/8-32'],
  warnings: [],
  idempotencyKey: null,
  holdId: 'hold',
  requestId: 'req',
});

export const lifecycle = (status: Lifecycle['status'], o: Partial<Lifecycle> = {}): Lifecycle => ({
  status,
  accountId: 'account',
  mode: 'live',
  taskKind: 'motor',
  due: null,
  unpaid: false,
  notes: [],
  pendingFit: null,
  ...o,
});
const scored = (method: string): Scored => ({
  method,
  title: `Method ${method}`,
  status: 'scored',
  reason: null,
  balancedAccuracy: 0.8,
  seconds: 1,
  ref: `fits/${method}`,
});

export const startOf = (stage: Stage, modelId: string) =>
  new WithStartWorkflowOperation('taskModel', {
    workflowId: modelId,
    taskQueue: stage.taskQueue,
    args: [{ modelId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
interface FitOptions {
  readonly jobId?: string;
  readonly start?: ReturnType<typeof startOf>;
}
export const fit = (
  stage: Stage,
  modelId: string,
  { jobId = 'job-1', start = startOf(stage, modelId) }: FitOptions = {},
): Promise<FitOutcome> =>
  stage.client.workflow.executeUpdateWithStart('fit', {
    args: [requestFor(modelId, jobId)],
    updateId: jobId,
    startWorkflowOperation: start,
  });
export const refresh = (stage: Stage, modelId: string) =>
  stage.client.workflow.signalWithStart('taskModel', {
    workflowId: modelId,
    taskQueue: stage.taskQueue,
    args: [{ modelId }],
    signal: 'refresh',
  });
export const end = (stage: Stage, modelId: string): Promise<unknown> =>
  stage.client.workflow.result(modelId, undefined, { followRuns: false }).catch((error: Error) => error.name);
export const unhurried = (): Promise<void> => sleep(400);

/** Activities of a fit that goes well; the model is `after` then. */
export const fitting = (
  calls: string[],
  state: { at: Lifecycle | null },
  after: Lifecycle | null,
): Partial<Activities> => ({
  async readLifecycle() {
    return state.at;
  },
  async fitModel({ request }) {
    calls.push('fitModel');
    state.at = after;
    const scores = request.candidates.map(({ id }) => scored(id));
    return { outcome: { result: 'activated', status: 201 }, method: scores[0]!.title, scores };
  },
  async abandonFit({ failure }) {
    calls.push(`abandonFit ${failure.code}`);
    state.at = after;
    return { result: 'abandoned', status: 422 };
  },
  async cleanUpModel() {
    calls.push('cleanUpModel');
  },
  async settleLifecycle() {
    calls.push('settleLifecycle');
    return { renewed: 0, finished: true, happened: [] };
  },
});

/** Activities of an immediate create that ends in a hosted model. */
export const created = (calls: string[]) =>
  fitting(
    calls,
    { at: lifecycle('fitting') },
    lifecycle('active', { due: { at: 4e12, what: 'Next hosting month charged' } }),
  );
