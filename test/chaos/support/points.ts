import { faultPoints, type FaultPoint } from '../../../activities/deps.ts';

/** What is going on when a process dies. */
export type Work = 'create' | 'failing create' | 'fit' | 'renewal' | 'deletion';

export interface WorkerDeath {
  readonly point: FaultPoint;
  readonly work: Work;
}

/** kill -9 of the worker: every fault point of the activities, in each kind of work that passes it. */
export const workerDeaths: readonly WorkerDeath[] = [
  { point: 'extract:before-features', work: 'create' },
  { point: 'extract:after-features', work: 'create' },
  { point: 'extract:after-staged-deleted', work: 'create' },
  { point: 'score:before', work: 'create' },
  { point: 'score:after-stored', work: 'fit' },
  { point: 'refit:before', work: 'create' },
  { point: 'refit:after-model', work: 'create' },
  { point: 'activate:before', work: 'create' },
  { point: 'activate:before-commit', work: 'create' },
  { point: 'activate:before-commit', work: 'fit' },
  { point: 'activate:after-commit', work: 'create' },
  { point: 'activate:after-commit', work: 'fit' },
  { point: 'activate:after-clean-up', work: 'create' },
  { point: 'abandon:before-commit', work: 'failing create' },
  { point: 'abandon:after-commit', work: 'failing create' },
  { point: 'settle:before-commit', work: 'renewal' },
  { point: 'settle:after-commit', work: 'renewal' },
  { point: 'settle:after-clean-up', work: 'deletion' },
];

export const uncovered = faultPoints.filter((point) => !workerDeaths.some((row) => row.point === point));

/** kill -9 of the API, between the steps of a create. */
export const apiDeaths = [
  { step: 'after-staged', what: 'the signal is staged, nothing is begun' },
  { step: 'after-begin', what: 'hold, row, key and job are committed, no workflow is started' },
  { step: 'while-running', what: 'the workflow scores candidates' },
  { step: 'before-answer', what: 'the model is active, the answer is not sent' },
] as const;

export type ApiStep = (typeof apiDeaths)[number]['step'];

/** kill -9 of a server while jobs stand at these points. */
export const serverDeaths: readonly WorkerDeath[] = [
  { point: 'extract:after-features', work: 'create' },
  { point: 'score:before', work: 'create' },
  { point: 'activate:before-commit', work: 'create' },
  { point: 'activate:after-commit', work: 'fit' },
  { point: 'settle:before-commit', work: 'renewal' },
];
