import { cosinesOf, fewestCoefficients } from '../../features/index.ts';
import type { Features } from '../../types.ts';

/**
 * Sets of cosine coefficients, the widest first. If the signal may not be stored, only the last exists: the band in
 * which responses to flicker and codes are clearest, many of them at their second harmonic.
 */
export const cosineSets = ['cosines/60', 'cosines/8-28'] as const;

/**
 * Edges of the sub-bands, Hz: first for slow evoked responses, then bands with rising lower edges up to the highest
 * coefficient (Chen 2015; Nakanishi 2018).
 */
const edgesHz: readonly (readonly [number, number])[] = [
  [1, 8],
  [1, Infinity],
  [6, Infinity],
  [14, Infinity],
  [22, Infinity],
  [30, Infinity],
];

/** Coefficients of a sub-band: from the first, and how many. */
export interface Span {
  readonly first: number;
  readonly count: number;
}

/** Layout of the coefficients of a set. */
export interface CosineLayout {
  readonly set: string;
  readonly channels: number;
  /** Coefficients of a channel. */
  readonly width: number;
  readonly bands: readonly Span[];
}

/** Trials as cosine coefficients, and their number of classes. */
export interface CosineTrials {
  readonly features: Features;
  readonly layout: CosineLayout;
  readonly classes: number;
}

/** The widest available set and its sub-bands; all coefficients if the trial is too short for any sub-band. */
export function cosineLayout({ sets, shape }: Features): CosineLayout {
  const set = cosineSets.find((id) => id in sets)!;
  const { channels, samples, rateHz } = shape;
  const { first, count: width } = cosinesOf(set, shape);
  const place = (hz: number): number => Math.min(width, Math.max(0, Math.ceil((2 * samples * hz) / rateHz) - first));
  const bands = edgesHz
    .map(([low, high]) => ({ first: place(low), count: place(high) - place(low) }))
    .filter(({ count }) => count >= fewestCoefficients)
    .filter(
      (band, at, all) => all.findIndex((other) => other.first === band.first && other.count === band.count) === at,
    );
  return { set, channels, width, bands: bands.length > 0 ? bands : [{ first: 0, count: width }] };
}
