import { fillSites19, sites19 } from '../channels/index.ts';
import type { SignalShape } from '../types.ts';
import { bandsOf } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';
import { windowedLogPower } from './windowed-power.ts';

/**
 * 'sites19/logpower': log band power of the 19 fixed sites [19 × bands], each relative to the mean over the site's
 * bands, which removes the gain of the electrode. A missing site uses the nearest electrode within 60 mm (`positions`
 * override the template). A silent site is all zeros.
 */
export const sitesFamily: RecipeFamily = (args) => {
  if (args !== 'logpower')
    throw new RangeError(`There is no feature set 'sites19/${args}'; there is 'sites19/logpower'.`);
  const feeds = new WeakMap<SignalShape, readonly number[]>();
  const feedsOf = (shape: SignalShape): readonly number[] => {
    const rows = feeds.get(shape) ?? fillSites19(shape.channelNames, shape.positions).rows;
    feeds.set(shape, rows);
    return rows;
  };
  return {
    storable: true,
    dimension: (shape) => sites19.length * bandsOf(shape).length,
    write({ shape, raw, spectrum }, out, at) {
      const bands = bandsOf(shape).length;
      const powers = windowedLogPower({ rows: shape.channels, at: raw, spectrum }, shape);
      for (const [site, row] of feedsOf(shape).entries()) {
        if (row < 0) continue;
        let sum = 0;
        for (let b = 0; b < bands; b++) sum += powers[row * bands + b];
        for (let b = 0; b < bands; b++) out[at + site * bands + b] = powers[row * bands + b] - sum / bands;
      }
    },
  };
};
