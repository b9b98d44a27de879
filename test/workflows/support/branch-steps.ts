import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { Activities, Lifecycle, Scored } from '../../../activities/types.ts';
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
  readonly result?: unknown;
}

export const candidates = ['tangent', 'csp', 'power'].map((id) => ({
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
export const scored = (method: string, status: Scored['status']): Scored => ({
  method,
  title: `Method ${method}`,
  status,
  reason: status === 'failed' ? 'Its covariances are singular.' : null,
  balancedAccuracy: status === 'scored' ? 0.8 : null,
  seconds: 1,
  ref: `fits/${method}`,
  fault: false,
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
  readonly candidates?: FitRequest['candidates'];
  readonly source?: FitRequest['source'];
}
export const fit = (
  stage: Stage,
  modelId: string,
  { jobId = 'job-1', start = startOf(stage, modelId), candidates: own = candidates, source }: FitOptions = {},
): Promise<FitOutcome> =>
  stage.client.workflow.executeUpdateWithStart('fit', {
    args: [{ ...requestFor(modelId, jobId), candidates: own, ...(source && { source }) }],
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

/** Activities of a fit that goes well, but for a candidate that fails and one that the service could not score. */
export const fitting = (
  calls: string[],
  state: { at: Lifecycle | null },
  after: Lifecycle | null,
): Partial<Activities> => ({
  async readLifecycle() {
    return state.at;
  },
  async extractFeatures() {
    calls.push('extractFeatures');
    return { ref: 'fits/features', trials: 20, classes: 2, sessions: 1 };
  },
  async scoreCandidate({ candidate }) {
    if (candidate.id === 'power') throw ApplicationFailure.nonRetryable('The thread ended.');
    return scored(candidate.id, candidate.id === 'csp' ? 'failed' : 'scored');
  },
  async chooseAndRefit({ scores }) {
    calls.push(`chooseAndRefit of ${scores.map(({ status, fault }) => (fault ? 'fault' : status)).join(', ')}`);
    return {
      method: candidates[0]!,
      pins: ['method:tangent@1'],
      balancedAccuracy: 0.8,
      chance: 0.5,
      modelRef: 'models/m',
      reportRef: 'fits/report',
    };
  },
  async activateModel() {
    calls.push('activateModel');
    state.at = after;
    return { result: 'activated', status: 201 };
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

/** The same in one activity, made of the steps. */
const atOnce =
  ({ extractFeatures, scoreCandidates, chooseAndRefit, activateModel }: Activities): Activities['fitAtOnce'] =>
  async ({ request, at }) => {
    const dataset = await extractFeatures({ request });
    const ended = await scoreCandidates({ request, dataset });
    const isWhole = ended.length === request.candidates.length;
    if (!isWhole || !ended.some(({ status }) => status === 'scored'))
      return { dataset, scores: ended, winner: null, outcome: null };
    const scores = request.candidates.map(({ id }) => ended.find(({ method }) => method === id)!);
    const winner = await chooseAndRefit({ request, dataset, scores });
    return { dataset, scores, winner, outcome: await activateModel({ request, winner, at }) };
  };

/** The activities with those that take several steps at once. */
export const withTogether = (activities: Partial<Activities>): Partial<Activities> => {
  const all = together(activities);
  return { fitAtOnce: atOnce(all as Activities), ...all };
};

/**
 * The same with all candidates scored in one activity, as one by one they would be: what throws is left out, as are the
 * averages that need it.
 */
const together = (activities: Partial<Activities>): Partial<Activities> => ({
  async scoreCandidates({ request, dataset }) {
    const { candidates: all } = request;
    const ended: Scored[] = all.length < 8 ? [] : [...(await activities.dropHopeless!({ request, dataset }))];
    for (const candidate of all.filter(({ id }) => !ended.some(({ method }) => method === id))) {
      const refs = (candidate.members ?? []).map((id) => ended.find(({ method }) => method === id)?.ref);
      if (refs.some((ref) => !ref)) continue;
      const members = refs.length > 0 ? { members: refs as string[] } : {};
      const input = { request, dataset, candidate, ...members };
      const answer = await activities.scoreCandidate!(input).catch((error: unknown) => {
        if (Context.current().cancellationSignal.aborted) throw error;
        return null;
      });
      if (answer) ended.push(answer);
    }
    return ended;
  },
  ...activities,
});

/** Activities of an immediate create that ends in a hosted model. */
export const created = (calls: string[]) =>
  fitting(
    calls,
    { at: lifecycle('fitting') },
    lifecycle('active', { due: { at: 4e12, what: 'Next hosting month charged' } }),
  );

/** Fits eight candidates, `m0` to `m7`. */
export const fitOfMany: Branch['drive'] = async (stage, id) => {
  const many = Array.from({ length: 8 }, (_, i) => ({ ...candidates[0]!, id: `m${i}`, title: `Method m${i}` }));
  const outcome = await fit(stage, id, { candidates: many });
  await unhurried();
  return outcome;
};
