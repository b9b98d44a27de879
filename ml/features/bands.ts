import type { SignalShape } from '../types.ts';

/** Pass band in Hz; null where the band is open. */
export interface Band {
  readonly lowHz: number | null;
  readonly highHz: number;
}

/**
 * Highest frequency that is read from a signal: above 0.45 of the declared rate, the anti-alias filter of the source
 * has removed the signal.
 */
export const usableHz = ({ sourceRateHz, rateHz }: Pick<SignalShape, 'sourceRateHz' | 'rateHz'>): number =>
  0.45 * Math.min(sourceRateHz, rateHz);

/** The part of the band in the usable range; null if less than half of it remains. */
export function clipBand({ lowHz, highHz }: Band, shape: Pick<SignalShape, 'sourceRateHz' | 'rateHz'>): Band | null {
  const high = Math.min(highHz, usableHz(shape));
  return high - (lowHz ?? 0) < (highHz - (lowHz ?? 0)) / 2 ? null : { lowHz, highHz: high };
}

/** The bands that `shape` can contain, clipped. */
export function usableBands(bands: readonly Band[], shape: Pick<SignalShape, 'sourceRateHz' | 'rateHz'>): Band[] {
  return bands.map((band) => clipBand(band, shape)).filter((band) => band !== null);
}

/** '8-32' as a band. */
export function parseBand(text: string): Band {
  const [lowHz, highHz] = text.split('-').map(Number);
  if (!(lowHz > 0 && highHz > lowHz)) throw new RangeError(`'${text}' is not a band such as '8-32' (Hz).`);
  return { lowHz, highHz };
}

/** '13,17,21' as frequencies in Hz. */
export function parseFrequencies(text: string): number[] {
  const frequencies = text.split(',').map(Number);
  if (!frequencies.every((f) => f > 0.5))
    throw new RangeError(`'${text}' is not a list of frequencies such as '13,17,21' (Hz).`);
  return frequencies;
}
