import type { FitRequest, FitTarget } from '../../infra/contract/fit-request.ts';
import type { JobData } from '../compute/job-data.ts';
import type { ScoreCache } from './score-cache.ts';
import type { ProgressLog } from './progress-log.ts';

/** One attempt to score the candidates of a job. */
export interface ScoringJob {
  readonly request: FitTarget & Pick<FitRequest, 'candidates'>;
  readonly data: JobData;
  readonly scores: ScoreCache;
  readonly progress: ProgressLog;
  readonly signal: AbortSignal;
  /** Last attempt: a candidate that the service cannot score counts as failed. Before, the next attempt scores it. */
  readonly isLast: boolean;
}
