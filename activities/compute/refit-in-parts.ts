import type { Choice, Skipped, TrainingReport } from '../../ml/train/index.ts';
import type { Compute } from './compute.ts';
import type { Refitted, ScoredJob } from './choice-tasks.ts';

export interface RefitJob extends ScoredJob {
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

export interface Refit {
  readonly choice: Choice;
  readonly model: Refitted;
  readonly report: TrainingReport;
}

/**
 * Scores → the best candidate refitted on all trials, and its report. The thread that scored it takes the dearest part
 * of the learning curve, for which it has most of what it needs.
 */
export async function refitInParts(
  compute: Compute,
  { jobId, data, scores, skipped, warnings }: RefitJob,
  signal: AbortSignal,
): Promise<Refit> {
  const job = { jobId, data, scores };
  const { choice, family, shares } = await compute('choose', job, { signal });
  const affinity = `${jobId}/${family}`;
  const [weighed, points, model, growth, controls] = await Promise.all([
    compute('weigh', job, { signal }),
    Promise.all(
      shares.map((share, at) =>
        compute('curve', { jobId, data, choice, share }, { signal, ...(at > 0 && { affinity }) }),
      ),
    ),
    compute('refit', { jobId, data, choice }, { signal }),
    compute('growth', { jobId, data, choice }, { signal, affinity }),
    compute('controls', { jobId, data }, { signal }),
  ]);
  const { patterns } = model;
  const found = { choice, weighed, points, growth, controls, patterns, skipped, warnings };
  const report = await compute('report', { ...job, ...found }, { signal });
  return { choice, model, report };
}
