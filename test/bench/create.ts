import { createActivityThreads } from '../../activities/compute/pool.ts';
import { createCompute } from '../../activities/compute/compute.ts';
import { extractInParts } from '../../activities/compute/extract-in-parts.ts';
import { firstFoldInParts } from '../../activities/compute/first-fold-in-parts.ts';
import { refitInParts } from '../../activities/compute/refit-in-parts.ts';
import type { StagedTrials } from '../../infra/contract/fit-request.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { growHeaps } from '../../infra/main/heaps.ts';
import { loudnessSet } from '../../ml/features/index.ts';
import { controlSets, methodOf } from '../../ml/methods/index.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape, type TrainOptions } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';

export interface WholeCreate {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly parts: { readonly extract: number; readonly score: number; readonly refit: number };
  readonly candidates: readonly string[];
  readonly method: string;
  readonly balancedAccuracy: number;
}

/**
 * Whole creates as the worker process does them, in its own threads, with its heaps: features, every candidate on every
 * fold, choice, refit, report.
 */
export function createOnThreads(size: number) {
  growHeaps();
  const pool = createActivityThreads(size);
  const compute = createCompute(pool);
  let jobs = 0;
  return {
    async create(trials: Trials, labels: readonly string[], options: TrainOptions): Promise<WholeCreate> {
      const jobId = `bench-${++jobs}`;
      const shape = datasetShape(trials, labels, null, options);
      const { candidates, skipped } = select(shape);
      const chosen = options.candidates ?? candidates.map(({ id }) => id);
      const own = chosen.flatMap((id) => methodOf(id).featureSets(shape));
      const featureSets = [...new Set([...own, ...controlSets(shape), loudnessSet])];
      const staged = encode({ format: 2, trials, labels, sessions: null } satisfies StagedTrials);
      const { signal } = new AbortController();
      const cpu = process.cpuUsage();
      const times = [performance.now()];
      const lap = (): number => times.push(performance.now());
      const data = await extractInParts(
        compute,
        size,
        staged,
        { featureSets, taskKind: shape.kind, network: shape.network },
        signal,
      );
      lap();
      const under = new Map<string, Promise<Uint8Array>>();
      const rows = chosen.map((id) => methodOf(id));
      const dropped = await firstFoldInParts(compute, { jobId, data, candidates: rows }, signal);
      for (const { score, bytes } of dropped) under.set(score.method, Promise.resolve(bytes));
      for (const method of chosen.filter((id) => !under.has(id))) {
        const { family, members = [] } = methodOf(method);
        const run = async (): Promise<Uint8Array> => {
          const earlier = await Promise.all(members.flatMap(({ id }) => under.get(id) ?? []));
          return (await compute('score', { jobId, data, method, members: earlier }, { affinity: `${jobId}/${family}` }))
            .bytes;
        };
        under.set(method, run());
      }
      const scores = await Promise.all(under.values());
      lap();
      const { choice, report } = await refitInParts(compute, { jobId, data, scores, skipped, warnings: [] }, signal);
      lap();
      const { user, system } = process.cpuUsage(cpu);
      const [extract, score, last] = times.slice(1).map((time, i) => (time - times[i]!) / 1000) as [
        number,
        number,
        number,
      ];
      return {
        seconds: extract + score + last,
        cpuSeconds: (user + system) / 1e6,
        parts: { extract, score, refit: last },
        candidates: chosen,
        method: choice.method,
        balancedAccuracy: report.balanced_accuracy,
      };
    },
    close: () => pool.close(),
  };
}
