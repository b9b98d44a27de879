import { createActivityThreads } from '../../activities/threads/pool.ts';
import type { Extracted, Refitted, ScoredOnFolds } from '../../activities/threads/tasks.ts';
import { encode } from '../../infra/codec.ts';
import { methodOf } from '../../ml/methods/index.ts';
import { candidatesFor, datasetShape, type TrainOptions } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';

export interface WholeCreate {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly parts: { readonly extract: number; readonly score: number; readonly refit: number };
  readonly candidates: readonly string[];
  readonly method: string;
  readonly balancedAccuracy: number;
}

/** Whole creates as the worker process does them, in its own threads: features, every candidate on every fold, choice, refit, report. */
export function createOnThreads(size: number) {
  const pool = createActivityThreads(size);
  let jobs = 0;
  return {
    async create(trials: Trials, labels: readonly string[], options: TrainOptions): Promise<WholeCreate> {
      const jobId = `bench-${++jobs}`;
      const shape = datasetShape(trials, labels, null, options);
      const { candidates, skipped } = candidatesFor(shape);
      const chosen = options.candidates ?? candidates;
      const featureSets = [...new Set(chosen.flatMap((id) => methodOf(id).featureSets(shape)))];
      const staged = encode({ trials, labels, sessions: null });
      const cpu = process.cpuUsage();
      const times = [performance.now()];
      const lap = (): number => times.push(performance.now());
      const { data } = await pool.run<Extracted>('extract', { staged, featureSets });
      lap();
      const scored = await Promise.all(chosen.map((method) => pool.run<ScoredOnFolds>('score', { jobId, data, method }, { affinity: `${jobId}/${methodOf(method).family}` })));
      lap();
      const refit = await pool.run<Refitted>('refit', { jobId, data, scores: scored.map(({ bytes }) => bytes), skipped, warnings: [] }, { affinity: jobId });
      lap();
      const { user, system } = process.cpuUsage(cpu);
      const [extract, score, last] = times.slice(1).map((time, i) => (time - times[i]!) / 1000) as [number, number, number];
      return { seconds: extract + score + last, cpuSeconds: (user + system) / 1e6, parts: { extract, score, refit: last }, candidates: chosen, method: refit.method.id, balancedAccuracy: refit.balancedAccuracy };
    },
    close: () => pool.close(),
  };
}
