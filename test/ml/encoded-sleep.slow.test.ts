import { describe, expect, it } from 'vitest';
import { encodedId } from '../../ml/encoders/index.ts';
import { robustSleepNet } from '../../ml/encoders/robust-sleep-net/encoder.ts';
import type { EncodeContext } from '../../ml/encoders/types.ts';
import { around } from '../../ml/encoders/robust-sleep-net/neighbours.ts';
import { readFeatures, trialsAt } from '../../ml/features/index.ts';
import { mergeFeatures } from '../support/merge-features.ts';
import { createRandom } from '../../ml/random.ts';
import { range, rowsOfEach, takeRows } from '../../ml/rows.ts';
import type { Trials } from '../../ml/types.ts';
import { largestDifference } from '../support/published-models.ts';
import { simulatedNights } from '../support/simulated-nights.ts';
import { standInEncoders, standInAvailability } from '../support/stand-in-encoders.ts';

const { hash } = standInAvailability['robust-sleep-net']!;
const run = standInEncoders({ id: 'robust-sleep-net', hash });
const sets = ['alone', 'together'] as const;
const idOf = (name: string): string => encodedId({ id: 'robust-sleep-net', hash, name });
const [alone, together] = [50, 150];
const { trials, sessions } = simulatedNights({ nights: 3, epochs: 8 });
const recordings = rowsOfEach(sessions)!;

const encode = async (some: Trials, context: EncodeContext) => {
  const { tables, standard } = await robustSleepNet.encode(some, sets, context, run);
  return { alone: tables['alone']!, together: tables['together']!, standard: standard! };
};
const rowsOf = (table: Float64Array, width: number, ...rows: number[]): Float64Array => takeRows(table, width, rows);
/** The trials with another signal in one of them. */
function changed(row: number, by: (value: number, at: number) => number): Trials {
  const size = trials.channels * trials.samples;
  return { ...trials, data: trials.data.map((value, at) => (Math.floor(at / size) === row ? by(value, at) : value)) };
}
const random = createRandom(3);
const noisy = changed(2, () => 60 * (random() - 0.5));
const fitted = await encode(trials, { recordings });
const { standard } = fitted;

describe('epochs that are read alone', () => {
  it('by a fitted model do not depend on the epochs that are sent with them', async () => {
    const { alone: all } = await encode(trials, { recordings: null, standard });
    for (const row of [0, 5, 23]) {
      const one = await encode(trialsAt(trials, Int32Array.of(row)), { recordings: null, standard });
      expect(largestDifference(one.alone, rowsOf(all, alone, row))).toBeLessThan(1e-6);
    }
    const { alone: beside } = await encode(noisy, { recordings: null, standard });
    const kept = [...range(24)].filter((row) => row !== 2);
    expect(largestDifference(rowsOf(beside, alone, ...kept), rowsOf(all, alone, ...kept))).toBeLessThan(1e-6);
    expect(largestDifference(rowsOf(beside, alone, 2), rowsOf(all, alone, 2))).toBeGreaterThan(1e-3);
  });

  it('in a fit are read as by the fitted model, and each belongs to its own recording', async () => {
    const again = await encode(trials, { recordings: null, standard });
    expect([...again.alone]).toEqual([...fitted.alone]);
    const unnamed = await encode(trials, { recordings: null });
    expect([...unnamed.alone]).toEqual([...fitted.alone]);
  });

  it('are read if there is only one', async () => {
    const one = await encode(trialsAt(trials, Int32Array.of(4)), { recordings: null });
    expect(one.alone).toHaveLength(alone);
    for (const set of sets) expect(one[set].every(Number.isFinite)).toBe(true);
  });
});

describe('epochs that are read together', () => {
  const backwards = Int32Array.from(range(24)).reverse();
  const turned = trialsAt(trials, backwards);
  const between = (table: Float64Array, row: number): Float64Array =>
    table.slice(row * together + alone, (row + 1) * together);

  it('use two neighbours on either side if recordings are named, and none from another recording', async () => {
    const moved = async (row: number) => {
      const later = await encode(noisy, { recordings, standard });
      const before = await encode(trials, { recordings, standard });
      return largestDifference(between(later.together, row), between(before.together, row));
    };
    expect(await moved(4)).toBeGreaterThan(1e-4);
    expect(await moved(8)).toBeLessThan(1e-9);
  });

  it('at both ends of a recording have as many neighbours, in a mirrored order', () => {
    expect(around(5, true).map((rows) => [...rows])).toEqual([
      [2, 1, 0, 1, 2],
      [1, 0, 1, 2, 3],
      [0, 1, 2, 3, 4],
      [1, 2, 3, 4, 3],
      [2, 3, 4, 3, 2],
    ]);
    expect(around(2, true).map((rows) => [...rows])).toEqual([
      [0, 1, 0, 1, 0],
      [1, 0, 1, 0, 1],
    ]);
    expect(around(1, true).map((rows) => [...rows])).toEqual([[0, 0, 0, 0, 0]]);
  });

  it('use no neighbours if no recording is named, in the fit and in the fitted model', async () => {
    const there = await encode(trials, { recordings: null });
    const back = await encode(turned, { recordings: null });
    for (const row of [0, 2, 23])
      expect(largestDifference(between(there.together, row), between(back.together, 23 - row))).toBeLessThan(1e-4);
    expect([there.standard[0], standard[0]]).toEqual([0, 1]);
    const sent = { recordings: [range(24)], standard: there.standard };
    const [a, b] = [(await encode(trials, sent)).together, (await encode(turned, sent)).together];
    expect(largestDifference(between(a, 2), between(b, 21))).toBeLessThan(1e-4);
  });

  it('of a recording with few epochs are standardised by the fit, with many by their own recording', async () => {
    const one = trialsAt(trials, Int32Array.of(4));
    const few = await encode(one, { recordings: [range(1)], standard });
    const apart = largestDifference(few.together.slice(0, alone), rowsOf(fitted.alone, alone, 4));
    const many = await encode(trialsAt(trials, recordings[0]!), { recordings: [range(8)], standard });
    const whole = largestDifference(
      many.together.slice(4 * together, 4 * together + alone),
      few.together.slice(0, alone),
    );
    expect(apart).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(0);
  });
});

describe('signals of any kind', () => {
  it.each([
    ['silent', () => 0],
    ['flat', () => 37],
    ['of nothing but a spike', (_: number, at: number) => (at % 997 === 0 ? 5e4 : 0)],
    ['beyond any amplifier', (value: number) => 1e12 * value],
  ])('give finite numbers: a channel that is %s', async (_, by) => {
    const size = trials.samples;
    const data = trials.data.map((value, at) => (Math.floor(at / size) % 2 === 1 ? by(value, at) : value));
    for (const context of [{ recordings }, { recordings: null, standard }]) {
      const made = await encode({ ...trials, data }, context);
      for (const set of sets) expect(made[set].every(Number.isFinite), set).toBe(true);
    }
  });

  it('are read in epochs of 2.3, 10 and 30 seconds, and the sets have the stated width', async () => {
    for (const seconds of [2.3, 10, 30]) {
      const some = simulatedNights({ nights: 1, epochs: 4, seconds, channels: 3 }).trials;
      const made = await encode(some, { recordings: [range(4)] });
      for (const set of sets) {
        expect(made[set], set).toHaveLength(4 * robustSleepNet.sets[set]!(some));
        expect(made[set].every(Number.isFinite), set).toBe(true);
      }
    }
  });

  it('are read alike whatever the order of their channels', async () => {
    const { channels, samples } = trials;
    const data = trials.data.map((_, at) => {
      const [row, i] = [Math.floor(at / samples), at % samples];
      const channel = channels - 1 - (row % channels);
      return trials.data[(row - (row % channels) + channel) * samples + i]!;
    });
    const swapped = await encode({ ...trials, data, channelNames: trials.channelNames.toReversed() }, { recordings });
    for (const set of sets) expect(largestDifference(swapped[set], fitted[set]), set).toBeLessThan(1e-4);
  });
});

it('a channel without signal is read as one with signal, also in the reference for standardising', async () => {
  const { channels, samples } = trials;
  const channelOf = (at: number): number => Math.floor(at / samples) % channels;
  const dead = trials.data.map((value, at) => (channelOf(at) === 1 ? 0 : value));
  const only = trials.data.filter((_, at) => channelOf(at) === 0);
  const one = { ...trials, channels: 1, channelNames: trials.channelNames.slice(0, 1), data: only };
  for (const context of [{ recordings }, { recordings: null }]) {
    const [read, alone] = [await encode({ ...trials, data: dead }, context), await encode(one, context)];
    for (const set of sets) expect(largestDifference(read[set], alone[set]), set).toBeLessThan(1e-4);
  }
});

it('a night with a dead channel does not change the features of other nights', async () => {
  const { channels, samples } = trials;
  const size = channels * samples;
  const data = trials.data.map((value, at) => (at < 8 * size && Math.floor(at / samples) % channels === 1 ? 0 : value));
  const { alone: read } = await encode({ ...trials, data }, { recordings });
  const nights = [...range(24)].slice(8);
  expect(largestDifference(rowsOf(read, alone, ...nights), rowsOf(fitted.alone, alone, ...nights))).toBeLessThan(0.3);
});

it('later batches and the fitted model are standardised by the first batch', async () => {
  const [first, second] = [range(8), range(24).subarray(8)];
  const read = async (rows: Int32Array, standards?: Readonly<Record<string, Float64Array>>) =>
    await readFeatures(trialsAt(trials, rows), sets.map(idOf), {
      encoders: standInEncoders,
      recordings: rowsOfEach([...rows].map((row) => sessions[row]!)),
      ...(standards && { standards }),
    });
  const one = await read(first);
  const other = await read(second, one.standards);
  expect(other.standards).toEqual(one.standards);
  const merged = mergeFeatures([one, other]);
  expect(merged.standards).toEqual(one.standards);
  for (const name of sets)
    expect([...merged.sets[idOf(name)]!]).toEqual([...one.sets[idOf(name)]!, ...other.sets[idOf(name)]!]);
  const whole = await encode(trials, { recordings, standard: one.standards!['robust-sleep-net'] });
  expect(largestDifference(merged.sets[idOf('alone')]!, whole.alone)).toBeLessThan(1e-6);
});
