import { packedSize } from '../geometry/index.ts';
import type { SignalShape } from '../types.ts';
import { clipBand, parseBand, parseFrequencies, usableBands, usableHz } from './bands.ts';
import type { Band } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';
import { writeCovariance, writeLaggedCovariance } from './write-covariance.ts';

/** 'cov/8-32': OAS covariance of the band-passed trial, packed upper triangle [p(p+1)/2]. */
export const covarianceFamily: RecipeFamily = (args) => {
  const band = parseBand(args);
  return {
    storable: true,
    dimension: ({ channels }) => packedSize(channels),
    write(source, out, at) {
      const { channels, samples } = source.shape;
      const parts = [source.filtered(bandIn(band, source.shape))];
      writeCovariance({ parts, rows: channels, run: samples }, out, at);
    },
  };
};

/** Width of the band around each frequency of 'ssvep'. */
export const stackedWidthHz = 1;

/**
 * 'ssvep/13,17,21': OAS covariance [q(q+1)/2] of the trial's copies filtered around each frequency (± 0.5 Hz) stacked,
 * q = frequencies · channels (Congedo 2013).
 */
export const ssvepFamily: RecipeFamily = (args) => {
  const half = stackedWidthHz / 2;
  const bands = parseFrequencies(args).map((f) => ({ lowHz: f - half, highHz: f + half }));
  return {
    storable: true,
    dimension: (shape) => packedSize(usableBands(bands, shape).length * shape.channels),
    write(source, out, at) {
      const { channels, samples } = source.shape;
      const parts = usableBands(bands, source.shape).map((band) => source.filtered(band));
      writeCovariance({ parts, rows: channels, run: samples }, out, at);
    },
  };
};

/** Most copies in a lag-augmented trial. */
export const mostCopies = 4;

/** Samples between the copies of a lag-augmented trial, and how many copies `channels` allow. */
const augmentation = (channels: number): { lag: number; order: number } => ({
  lag: 8,
  order: Math.max(2, Math.min(mostCopies, Math.floor(66 / channels))),
});

/**
 * 'acm/8-32': OAS covariance [q(q+1)/2] of the band-passed trial stacked with delayed copies of itself, q = order ·
 * channels (Carrara & Papadopoulo 2024).
 */
export const augmentedFamily: RecipeFamily = (args) => {
  const band = parseBand(args);
  return {
    storable: true,
    dimension: ({ channels }) => packedSize(augmentation(channels).order * channels),
    write(source, out, at) {
      const { channels, samples } = source.shape;
      const { lag, order } = augmentation(channels);
      const step = Math.max(1, Math.min(lag, Math.floor(samples / (2 * order))));
      const from = source.filtered(bandIn(band, source.shape));
      writeLaggedCovariance({ from, rows: channels, run: samples, copies: order, lag: step }, out, at);
    },
  };
};

/** The part of the band in the usable range; if little of it remains, from the middle of the range up. */
export function bandIn(band: Band, shape: Pick<SignalShape, 'sourceRateHz' | 'rateHz'>): Band {
  const top = usableHz(shape);
  return (
    clipBand(band, shape) ?? { lowHz: Math.min(band.lowHz ?? top / 2, top / 2), highHz: Math.min(band.highHz, top) }
  );
}
