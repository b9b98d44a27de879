import { describe, expect, it } from 'vitest';
import { encodedId } from '../../ml/encoders/index.ts';
import { robustSleepNet } from '../../ml/encoders/robust-sleep-net/encoder.ts';
import type { EncodeContext } from '../../ml/encoders/types.ts';
import { mergeFeatures, readFeatures, standardsOf, trialsAt } from '../../ml/features/index.ts';
import { createRandom } from '../../ml/random.ts';
import { range, rowsOfEach, takeRows } from '../../ml/rows.ts';
import type { Trials } from '../../ml/types.ts';
import { largestDifference } from '../support/published-models.ts';
import { simulatedNights } from '../support/simulated-nights.ts';
import { standInEncoders, standInStandings } from '../support/stand-in-encoders.ts';

const { hash } = standInStandings['robust-sleep-net']!;
const run = standInEncoders({ id: 'robust-sleep-net', hash });
const sets = ['alone', 'together', 'moments'] as const;
const idOf = (name: string): string => encodedId({ id: 'robust-sleep-net', hash, name });
const [alone, together] = [50, 151];
const { trials, sessions } = simulatedNights({ nights: 3, epochs: 8 });
const recordings = rowsOfEach(sessions)!;

const encode = async (some: Trials, context: EncodeContext) => await robustSleepNet.encode(some, sets, context, run);
const rowsOf = (table: Float64Array, width: number, ...rows: number[]): Float64Array => takeRows(table, width, rows);
const others = [...range(trials.trials)].filter((row) => row >= 8);
/** The trials with another signal in one of them. */
function changed(row: number, by: (value: number, at: number) => number): Trials {
  const size = trials.channels * trials.samples;
  return { ...trials, data: trials.data.map((value, at) => (Math.floor(at / size) === row ? by(value, at) : value)) };
}
const random = createRandom(3);
const noisy = changed(2, () => 60 * (random() - 0.5));
const fitted = await encode(trials, { recordings });
const standard = robustSleepNet.standardOf!(fitted, trials.trials, recordings);

describe('epochs that are read alone', () => {
  it('by a fitted model depend on themselves only, whichever are sent with them', async () => {
    const all = (await encode(trials, { recordings: null, standard }))['alone']!;
    for (const row of [0, 5, 23]) {
      const one = await encode(trialsAt(trials, Int32Array.of(row)), { recordings: null, standard });
      expect(largestDifference(one['alone']!, rowsOf(all, alone, row))).toBeLessThan(1e-6);
    }
    const beside = (await encode(noisy, { recordings: null, standard }))['alone']!;
    const kept = [...range(24)].filter((row) => row !== 2);
    expect(largestDifference(rowsOf(beside, alone, ...kept), rowsOf(all, alone, ...kept))).toBeLessThan(1e-6);
    expect(largestDifference(rowsOf(beside, alone, 2), rowsOf(all, alone, 2))).toBeGreaterThan(1e-3);
  });

  it('in a fit are read against other recordings: nothing of their own moves what they are read against', async () => {
    const { alone: before } = fitted;
    const { alone: after } = await encode(noisy, { recordings });
    const own = [0, 1, 3, 4, 5, 6, 7];
    expect(largestDifference(rowsOf(before!, alone, ...own), rowsOf(after!, alone, ...own))).toBeLessThan(1e-9);
    expect(largestDifference(rowsOf(before!, alone, ...others), rowsOf(after!, alone, ...others))).toBeGreaterThan(
      1e-4,
    );
  });

  it.each([null, [range(24)]])('are read against other stretches where there is one recording', async (one) => {
    const { alone: before } = await encode(trials, { recordings: one });
    const { alone: after } = await encode(noisy, { recordings: one });
    const own = [0, 1, 3];
    expect(largestDifference(rowsOf(before!, alone, ...own), rowsOf(after!, alone, ...own))).toBeLessThan(1e-9);
    expect(largestDifference(rowsOf(before!, alone, 20), rowsOf(after!, alone, 20))).toBeGreaterThan(1e-4);
  });

  it('are read where there is one only', async () => {
    const one = await encode(trialsAt(trials, Int32Array.of(4)), { recordings: null });
    expect(one['alone']).toHaveLength(alone);
    for (const set of sets) expect(one[set]!.every(Number.isFinite)).toBe(true);
  });
});

describe('epochs that are read together', () => {
  const backwards = Int32Array.from(range(24)).reverse();
  const turned = trialsAt(trials, backwards);
  const between = (table: Float64Array, row: number): Float64Array =>
    table.slice(row * together + alone, (row + 1) * together - 1);
  const flagOf = (table: Float64Array): number[] => [...table].filter((_, at) => at % together === together - 1);

  it('know their neighbours where recordings are named', async () => {
    const { together: there } = fitted;
    const back = (
      await encode(turned, { recordings: recordings.map((rows) => rows.map((row) => 23 - row).reverse()) })
    )['together']!;
    expect(new Set(flagOf(there!))).toEqual(new Set([1]));
    expect(largestDifference(between(there!, 2), between(back, 21))).toBeGreaterThan(1e-3);
    expect(
      largestDifference(rowsOf(there!, together, 2).subarray(0, alone), rowsOf(back, together, 21).subarray(0, alone)),
    ).toBeLessThan(1e-4);
  });

  it('know none where nobody named them, in the fit or of the fitted model', async () => {
    const { together: there } = await encode(trials, { recordings: null });
    const { together: back } = await encode(turned, { recordings: null });
    expect(new Set(flagOf(there!))).toEqual(new Set([0]));
    for (const row of [0, 2, 23])
      expect(largestDifference(between(there!, row), between(back!, 23 - row))).toBeLessThan(1e-4);
    const unnamed = robustSleepNet.standardOf!(await encode(trials, { recordings: null }), 24, null);
    expect([unnamed[0], standard[0]]).toEqual([0, 1]);
    const sent = { recordings: [range(24)], standard: unnamed };
    const [a, b] = [(await encode(trials, sent))['together']!, (await encode(turned, sent))['together']!];
    expect(largestDifference(between(a, 2), between(b, 21))).toBeLessThan(1e-4);
  });

  it('of a fitted model know their neighbours where it was fitted so', async () => {
    const sent = { recordings: [range(24)], standard };
    const [a, b] = [(await encode(trials, sent))['together']!, (await encode(turned, sent))['together']!];
    expect(largestDifference(between(a, 2), between(b, 21))).toBeGreaterThan(1e-3);
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
      for (const set of sets) expect(made[set]!.every(Number.isFinite), set).toBe(true);
    }
  });

  it('are read in epochs of 2.3, 10 and 30 seconds, whose sets are as wide as they say', async () => {
    for (const seconds of [2.3, 10, 30]) {
      const some = simulatedNights({ nights: 1, epochs: 4, seconds, channels: 3 }).trials;
      const made = await encode(some, { recordings: [range(4)] });
      for (const set of sets) {
        expect(made[set], set).toHaveLength(4 * robustSleepNet.sets[set]!(some));
        expect(made[set]!.every(Number.isFinite), set).toBe(true);
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
    for (const set of ['alone', 'together'])
      expect(largestDifference(swapped[set]!, fitted[set]!), set).toBeLessThan(1e-4);
  });
});

it('stored batches are each read against themselves, and a model of them against all', async () => {
  const [first, second] = [range(8), range(24).subarray(8)];
  const parts = await Promise.all(
    [first, second].map(async (rows) => {
      const own = rowsOfEach([...rows].map((row) => sessions[row]!));
      return await readFeatures(trialsAt(trials, rows), sets.map(idOf), { encoders: standInEncoders, recordings: own });
    }),
  );
  const merged = mergeFeatures(parts);
  for (const name of sets) {
    const [a, b] = parts.map((part) => part.sets[idOf(name)]!);
    expect([...merged.sets[idOf(name)]!]).toEqual([...a!, ...b!]);
  }
  expect(merged.sets[idOf('moments')]).toEqual(fitted['moments']);
  const found = standardsOf(merged, [idOf('alone')], recordings)!['robust-sleep-net']!;
  expect(largestDifference(found, standard)).toBeLessThan(1e-9);
});
