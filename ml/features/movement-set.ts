import { allocate, allocateDoubles, groupList, groupsOf, kernels, scope, viewDoubles } from '../kernels/index.ts';
import { montageSites, movementCard, usedSites } from '../encoders/movement/index.ts';
import { packedSize } from '../geometry/index.ts';
import { filterAt, groupsAt } from '../signal/index.ts';
import type { UsedSites } from '../encoders/movement/index.ts';
import type { SignalShape } from '../types.ts';
import type { RecipeFamily } from './recipe.ts';
import { usableHz } from './bands.ts';
import { filterOf } from './trial-source.ts';

/** The last part of 'SHA-256/bank'. */
const nameIn = (args: string): string => args.slice(args.lastIndexOf('/') + 1);

/** Electrodes that a set reads: all that can be placed (`bank`), or those of a montage of the card (its name). */
const sitesOf = (name: string, shape: SignalShape): UsedSites =>
  name === 'bank' ? usedSites(shape) : montageSites(shape, name);

/**
 * 'movement/SHA-256/bank': second moments of the electrodes that the movement network reads, of each of its bands and
 * windows [bands × windows × packed], µV². Each band is filtered as in the other sets; nothing is shrunk or centred.
 * 'movement/SHA-256/fixed19': the same of the electrodes of a montage, in the order of the card's sites.
 */
export const movementFamily: RecipeFamily = (args) => ({
  storable: true,
  dimension: (shape) =>
    movementCard.bands.length * movementCard.windows.length * packedSize(sitesOf(nameIn(args), shape).channels.length),
  write({ shape, data }, out, at) {
    const { samples, rateHz } = shape;
    const { channels } = sitesOf(nameIn(args), shape);
    const p = channels.length;
    const rows = new Float32Array(p * samples);
    channels.forEach((channel, i) => rows.set(data.subarray(channel * samples, (channel + 1) * samples), i * samples));
    const size = packedSize(p);
    const groups = groupsOf(p);
    const edges = movementCard.windows.map((window) => window.map((share) => Math.round(share * samples)));
    scope(() => {
      const from = groupsAt(rows, p, samples);
      const to = allocate(groups * samples * 64);
      const lists = edges.map(([begin]) => groupList([to + begin * 64], groups, samples));
      const products = allocateDoubles(groups * groups * 64);
      let place = at;
      for (const [lowHz, highHz] of movementCard.bands) {
        const band = { lowHz, highHz: Math.max(1.05 * lowHz, Math.min(highHz, usableHz(shape))) };
        filterAt(filterOf(band, rateHz), { from, to, rows: p, samples });
        for (let w = 0; w < edges.length; w++, place += size) {
          const [begin, end] = edges[w];
          kernels().groupProducts(lists[w], groups, lists[w], groups, end - begin, products, 1);
          takeUpper(viewDoubles(products, groups * groups * 64), groups * 8, p, 1 / (end - begin), out, place);
        }
      }
    });
  },
});

/** The upper triangle of the first p rows of a table, times a number. */
function takeUpper(table: Float64Array, width: number, p: number, by: number, out: Float64Array, place: number): void {
  let k = place;
  for (let i = 0; i < p; i++) for (let j = i; j < p; j++, k++) out[k] = table[i * width + j] * by;
}
