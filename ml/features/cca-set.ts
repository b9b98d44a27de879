import {
  allocateDoubles,
  groupList,
  groupRows,
  groupsOf,
  kernels,
  place,
  read,
  scope,
  viewDoubles,
} from '../kernels/index.ts';
import { cholesky, eigenvalues, gram, matmulTransposed, solveLower, transpose } from '../linalg/index.ts';
import { regularise } from '../geometry/index.ts';
import { matrixOf, squareOf, squaresOf } from '../matrix.ts';
import type { SignalShape } from '../types.ts';
import { parseFrequencies, usableHz } from './bands.ts';
import type { Band } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';

/** Settings of the canonical correlations with sines and cosines. */
interface Design {
  /** Bands of the trial; each is correlated separately. */
  readonly bands: (frequencies: readonly number[], shape: SignalShape) => readonly Band[];
  /** Number of harmonics of a frequency, including the first. */
  readonly harmonics: (frequencies: readonly number[], shape: SignalShape) => number;
  /** Number of largest correlations that are kept for each band and frequency. */
  readonly kept: number;
}

/** Band of a trial in which 'cca' looks for sines; no sub-band of 'fbcca' begins lower. */
export const sineBand = { lowHz: 3, highHz: 45 } as const;

/**
 * 'cca/13,17,21': the two largest canonical correlations of the trial (3–45 Hz) with sines and cosines of each
 * frequency and its second harmonic, [frequencies × min(2, channels)] (Lin 2006).
 */
export const ccaFamily = correlations({
  bands: (_, shape) => [{ ...sineBand, highHz: Math.min(sineBand.highHz, usableHz(shape)) }],
  harmonics: () => 2,
  kept: 2,
});

const subBands = 3;
const highestHz = 90;

/**
 * 'fbcca/13,17,21': the largest canonical correlation with each frequency and up to its third harmonic, in up to three
 * sub-bands [sub-bands × frequencies]. The n-th sub-band begins 2 Hz below n times the lowest frequency; all end at 90
 * Hz (Chen 2015, the third design).
 */
export const filterBankCcaFamily = correlations({
  bands(frequencies, shape) {
    const highHz = Math.min(highestHz, usableHz(shape));
    const all = Array.from({ length: subBands }, (_, n) => ({
      lowHz: Math.max(sineBand.lowHz, (n + 1) * Math.min(...frequencies) - 2),
      highHz,
    }));
    return all
      .filter(({ lowHz }, n) => n === 0 || highHz - lowHz >= 8)
      .map(({ lowHz }) => ({ lowHz: Math.min(lowHz, highHz / 2), highHz }));
  },
  harmonics: (frequencies, shape) =>
    Math.max(1, Math.min(3, Math.floor(Math.min(highestHz, usableHz(shape)) / Math.max(...frequencies)))),
  kept: 1,
});

function correlations(design: Design): RecipeFamily {
  return (args) => {
    const frequencies = parseFrequencies(args);
    const references = new Map<string, Float64Array>();
    const keptOf = (channels: number): number => Math.min(design.kept, channels);
    return {
      storable: true,
      dimension: (shape) => design.bands(frequencies, shape).length * frequencies.length * keptOf(shape.channels),
      write(source, out, at) {
        const { channels, samples, rateHz } = source.shape;
        const rows = 2 * design.harmonics(frequencies, source.shape);
        const id = `${samples} ${rateHz} ${rows}`;
        const known = references.get(id) ?? inGroups(referencesOf(frequencies, rows, samples, rateHz), samples);
        references.set(id, known);
        const kept = keptOf(channels);
        const count = frequencies.length * rows;
        const filtered = design.bands(frequencies, source.shape).map((band) => source.filtered(band));
        scope(() => {
          const placed = place(known);
          filtered.forEach((x, b) => {
            const { own, cross } = products(x, channels, placed, count, samples);
            const l = cholesky(regularise(own, 1e-9));
            if (!l) cross.data.fill(0);
            const columns = transpose(l ? solveLower(l, cross) : cross).data;
            const squares = new Float64Array(count * rows);
            for (let f = 0; f < frequencies.length; f++)
              squares.set(gram(matrixOf(columns.subarray(f * rows * channels), channels, rows)).data, f * rows * rows);
            const values = eigenvalues(squaresOf(squares, rows));
            for (let f = 0, to = at + b * frequencies.length * kept; f < frequencies.length; f++)
              for (let k = 0; k < kept; k++, to++)
                out[to] = Math.sqrt(Math.min(1, Math.max(0, values[(f + 1) * rows - 1 - k])));
          });
        });
      },
    };
  };
}

/** Rows [count × samples] in groups of lanes, as the kernels read them. They are the same for every trial. */
const inGroups = (rows: Float64Array, samples: number): Float64Array =>
  scope(() => {
    const count = rows.length / samples;
    return read(groupRows(rows, count, samples), groupsOf(count) * samples * 8);
  });

/**
 * Centred inner products of the trial's channels [channels × channels] and with the `count` rows of the groups at
 * `references` [channels × count].
 */
function products(x: number, channels: number, references: number, count: number, samples: number) {
  return scope(() => {
    const [gx, gy] = [groupsOf(channels), groupsOf(count)];
    const list = groupList([x], gx, samples);
    const squares = allocateDoubles(gx * gx * 64);
    const crosses = allocateDoubles(gx * gy * 64);
    const means = allocateDoubles(gx * 8);
    kernels().groupMeans(list, gx, samples, means);
    kernels().groupProducts(list, gx, list, gx, samples, squares, 1);
    kernels().groupProducts(list, gx, groupList([references], gy, samples), gy, samples, crosses, 0);
    const [s, c, m] = [
      viewDoubles(squares, gx * gx * 64),
      viewDoubles(crosses, gx * gy * 64),
      viewDoubles(means, gx * 8),
    ];
    const own = new Float64Array(channels * channels);
    const cross = new Float64Array(channels * count);
    for (let i = 0; i < channels; i++) {
      for (let j = i; j < channels; j++)
        own[i * channels + j] = own[j * channels + i] = s[i * gx * 8 + j] - samples * m[i] * m[j];
      for (let j = 0; j < count; j++) cross[i * count + j] = c[i * gy * 8 + j];
    }
    return { own: squareOf(own, channels), cross: matrixOf(cross, count, channels) };
  });
}

/**
 * Rows [frequencies · rows × samples]: per frequency an orthonormal basis of the centred sines and cosines of its
 * harmonics.
 */
function referencesOf(frequencies: readonly number[], rows: number, samples: number, rateHz: number): Float64Array {
  const all = new Float64Array(frequencies.length * rows * samples);
  frequencies.forEach((hz, f) => {
    const y = new Float64Array(rows * samples);
    for (let r = 0; r < rows; r++) {
      const omega = (2 * Math.PI * hz * (1 + (r >> 1))) / rateHz;
      const row = y.subarray(r * samples, (r + 1) * samples);
      for (let i = 0; i < samples; i++) row[i] = r % 2 ? Math.cos(omega * i) : Math.sin(omega * i);
      const mean = row.reduce((sum, v) => sum + v, 0) / samples;
      for (let i = 0; i < samples; i++) row[i] -= mean;
    }
    const waves = matrixOf(y, samples, rows);
    const l = cholesky(regularise(matmulTransposed(waves, waves), 1e-9));
    if (l) all.set(solveLower(l, waves).data, f * rows * samples);
  });
  return all;
}
