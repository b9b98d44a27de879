import { everyWorkerHas, weightsReports, type WeightsReport } from '../../infra/records/weights-reports.ts';
import type { EncoderStandings } from '../../ml/types.ts';
import type { ApiDeps } from '../deps.ts';

type Asked = Pick<ApiDeps, 'models' | 'pool'>;

const notEverywhere = 'weights are not installed on every worker';
/** How long what processes said they hold is believed. */
const freshMs = 5_000;
const known = new WeakMap<Asked['pool'], { readonly until: number; readonly holders: Holders }>();

type Holders = Promise<readonly WeightsReport[]>;

function holdersOf(pool: Asked['pool']): Holders {
  const before = known.get(pool);
  if (before && before.until > performance.now()) return before.holders;
  const holders = weightsReports(pool);
  known.set(pool, { until: performance.now() + freshMs, holders });
  holders.catch(() => known.delete(pool));
  return holders;
}

/**
 * Pretrained models as selection sees them: the hash of weights that are there, or why a model cannot be tried. Trials
 * that are stored as features are read by this API; those of a create that is fitted at once by any worker, so that
 * each that says what it holds must hold the weights too.
 */
export async function encodersOf(
  { models, pool }: Asked,
  { storedFeaturesOnly }: { storedFeaturesOnly: boolean },
): Promise<EncoderStandings> {
  const standings = models();
  const asked = !storedFeaturesOnly && standings.some(({ status }) => status === 'ready');
  const holders = asked ? await holdersOf(pool) : [];
  return Object.fromEntries(
    standings.map(({ id, reason, weights }) => {
      if (reason !== null) return [id, { reason }];
      const hash = weights.sha256;
      return [id, everyWorkerHas(holders, { id, hash }) ? { hash } : { reason: notEverywhere }];
    }),
  );
}
