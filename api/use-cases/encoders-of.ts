import { everyWorkerHolds, weightsHolders, type WeightsHolder } from '../../infra/records/weights-held.ts';
import type { EncoderStandings } from '../../ml/types.ts';
import type { ApiDeps } from '../deps.ts';

type Asked = Pick<ApiDeps, 'models' | 'pool'>;

const notEverywhere = 'weights are not installed on every worker';
/** Cache time of the weights that workers report. */
const freshMs = 5_000;
const known = new WeakMap<Asked['pool'], { readonly until: number; readonly holders: Holders }>();

type Holders = Promise<readonly WeightsHolder[]>;

function holdersOf(pool: Asked['pool']): Holders {
  const before = known.get(pool);
  if (before && before.until > performance.now()) return before.holders;
  const holders = weightsHolders(pool);
  known.set(pool, { until: performance.now() + freshMs, holders });
  holders.catch(() => known.delete(pool));
  return holders;
}

/**
 * State of the pretrained models for selection: the hash of installed weights, or why a model cannot be used. Only this
 * API process reads trials that are stored as features. Any worker may read the trials of an immediate create, so every
 * process that reports its weights must have them.
 */
export async function encodersOf(
  { models, pool }: Asked,
  { storedFeaturesOnly }: { storedFeaturesOnly: boolean },
): Promise<EncoderStandings> {
  const states = models();
  const needsWorkers = !storedFeaturesOnly && states.some(({ status }) => status === 'ready');
  const holders = needsWorkers ? await holdersOf(pool) : [];
  return Object.fromEntries(
    states.map(({ id, reason, weights }) => {
      if (reason !== null) return [id, { reason }];
      const hash = weights.sha256;
      return [id, everyWorkerHolds(holders, { id, hash }) ? { hash } : { reason: notEverywhere }];
    }),
  );
}
