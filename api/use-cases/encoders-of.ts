import { everyWorkerHas, weightsReports, type WeightsReport } from '../../infra/records/weights-reports.ts';
import type { EncoderAvailability } from '../../ml/types.ts';
import type { ApiDeps } from '../deps.ts';

type EncoderDeps = Pick<ApiDeps, 'models' | 'pool'>;

const notEverywhere = 'weights are not installed on every worker';
/** Cache time of the weights that workers report. */
const cacheMs = 5_000;
const cache = new WeakMap<EncoderDeps['pool'], { readonly until: number; readonly holders: Holders }>();

type Holders = Promise<readonly WeightsReport[]>;

function holdersOf(pool: EncoderDeps['pool']): Holders {
  const before = cache.get(pool);
  if (before && before.until > performance.now()) return before.holders;
  const holders = weightsReports(pool);
  cache.set(pool, { until: performance.now() + cacheMs, holders });
  holders.catch(() => cache.delete(pool));
  return holders;
}

/**
 * State of the pretrained models for selection: the hash of installed weights, or why a model cannot be used. Only this
 * API process reads trials that are stored as features. Any worker may read the trials of an immediate create, so every
 * process that reports its weights must have them.
 */
export async function encodersOf(
  { models, pool }: EncoderDeps,
  { storedFeaturesOnly }: { storedFeaturesOnly: boolean },
): Promise<EncoderAvailability> {
  const states = models();
  const needsWorkers = !storedFeaturesOnly && states.some(({ status }) => status === 'ready');
  const holders = needsWorkers ? await holdersOf(pool) : [];
  return Object.fromEntries(
    states.map(({ id, reason, weights }) => {
      if (reason !== null) return [id, { reason }];
      const hash = weights.sha256;
      return [id, everyWorkerHas(holders, { id, hash }) ? { hash } : { reason: notEverywhere }];
    }),
  );
}
