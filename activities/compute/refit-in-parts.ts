import type { RunOptions } from '../../infra/drivers/threads/pool-types.ts';
import { swappedFamily } from '../../ml/train/index.ts';
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
 * Refits the best candidate on all trials and makes its report. Work that continues a family's earlier work runs in the
 * thread that scored the family. The other work fills the idle time of both threads.
 */
export async function refitInParts(
  compute: Compute,
  { jobId, data, scores, skipped, warnings }: RefitJob,
  signal: AbortSignal,
): Promise<Refit> {
  const job = { jobId, data, scores };
  const chosen = await compute('choose', job, { signal });
  const { choice } = chosen;
  const own = { jobId, data, choice };
  const where = (family: string | null): RunOptions =>
    family === null ? { signal } : { signal, affinity: `${jobId}/${family}` };
  const [weighed, parts, curve, growth, controls] = await Promise.all([
    compute('weigh', job, { signal }),
    Promise.all(chosen.parts.map((part) => compute('refit', { ...own, part }, where(part.family)))),
    Promise.all(chosen.curve.map(({ family, ...piece }) => compute('curve', { ...own, ...piece }, where(family)))),
    compute('growth', own, where(chosen.family)),
    compute('controls', { ...job, choice }, { signal }),
  ]);
  const model = await compute('assemble', { ...own, parts }, { signal });
  const found = { choice, weighed, curve, growth, controls, patterns: model.patterns, skipped, warnings };
  const report = await compute('report', { ...job, ...found }, where(swappedFamily));
  return { choice, model, report };
}
