import type { ApiDeps, Asking } from '../../deps.ts';
import { encodersOf } from '../encoders-of.ts';
import { fitAvailability, type FitAvailability } from './fit-availability.ts';
import type { ZeroShotInput } from './read-zero-shot-task.ts';

/**
 * Whether a model without own trials is available. The movement network comes first: its evidence is on its card, so it
 * is ready at once. Otherwise a fit on reference recordings, as in `fitAvailability`.
 */
export async function zeroShotAvailability(
  deps: ApiDeps,
  { target, shape, network }: Pick<ZeroShotInput, 'target' | 'shape' | 'network'>,
  asking: Asking,
): Promise<FitAvailability> {
  if (network) {
    const { movement } = await encodersOf(deps, { storedFeaturesOnly: false });
    if (movement && 'hash' in movement) return { ready: true, fit: { network: true, evidence: network }, people: null };
  }
  return fitAvailability(deps, target, shape, asking);
}
