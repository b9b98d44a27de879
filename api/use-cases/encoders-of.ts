import type { WeightsStanding } from '../../infra/weights/standing.ts';
import type { EncoderStandings } from '../../ml/types.ts';

/** Pretrained models as selection sees them: the hash of weights that are there, or why a model cannot be tried. */
export const encodersOf = (models: readonly WeightsStanding[]): EncoderStandings =>
  Object.fromEntries(models.map((each) => [each.id, each.ready ? { hash: each.sha256 } : { reason: each.reason }]));
