import { methodOf } from '../../ml/methods/index.ts';
import type { Choice, Skipped, TrainingReport } from '../../ml/train/index.ts';
import type { Compute } from '../compute.ts';
import type { ScoredJob } from './tasks.ts';

export interface RefitJob extends ScoredJob {
  readonly methods: readonly string[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

export interface Refit {
  readonly choice: Choice;
  /** Encoded `FittedModel`. */
  readonly model: Uint8Array;
  readonly report: TrainingReport;
}

/** Scores → the best candidate refitted on all trials, and its report. The thread that scored it has what its curve needs; another weighs the evidence. */
export async function refitInParts(compute: Compute, { jobId, data, scores, methods, skipped, warnings }: RefitJob, signal: AbortSignal): Promise<Refit> {
  const job = { jobId, data, scores };
  const choice = await compute('choose', job, { signal });
  const affinity = `${jobId}/${methodOf(choice.method).family}`;
  const [learningCurve, { bytes }, weighed] = await Promise.all([
    compute('curve', { jobId, data, score: scores[methods.indexOf(choice.method)]! }, { signal, affinity }),
    compute('refit', { jobId, data, choice }, { signal, affinity }),
    compute('weigh', { ...job, choice }, { signal }),
  ]);
  const report = await compute('report', { ...job, choice, weighed, learningCurve, skipped, warnings }, { signal });
  return { choice, model: bytes, report };
}
