import { allocate, groupsOf, scope } from '../kernels/index.ts';
import { packedSize } from '../geometry/index.ts';
import { filterAt } from '../signal/index.ts';
import { parseBand, usableBands } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';
import { filterOf } from './trial-source.ts';
import { writeCovariance } from './write-covariance.ts';

/** Width of the bands of 'fbcov'. */
export const bankWidthHz = 4;

/**
 * 'fbcov' (4-Hz bands from 4 to 40 Hz) or 'fbcov/4-8,8-12,…': OAS covariance of the trial band-passed without phase
 * shift (scipy.signal.sosfiltfilt), per band, [bands × p(p+1)/2].
 */
export const filterBankFamily: RecipeFamily = (args) => {
  const bands = args
    ? args.split(',').map(parseBand)
    : Array.from({ length: 9 }, (_, i) => ({ lowHz: (i + 1) * bankWidthHz, highHz: (i + 2) * bankWidthHz }));
  return {
    storable: true,
    dimension: (shape) => usableBands(bands, shape).length * packedSize(shape.channels),
    write({ shape, raw }, out, at) {
      const { channels, samples, rateHz } = shape;
      const from = raw();
      scope(() => {
        const filtered = allocate(groupsOf(channels) * samples * 64);
        usableBands(bands, shape).forEach((band, b) => {
          filterAt(filterOf(band, rateHz), { from, to: filtered, rows: channels, samples });
          const trial = { parts: [filtered], rows: channels, run: samples };
          writeCovariance(trial, out, at + b * packedSize(channels));
        });
      });
    },
  };
};
