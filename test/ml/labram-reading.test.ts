import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { labram, prepare, readingOf, unreadable, windowsOf } from '../../ml/encoders/labram/index.ts';
import { filteredAt200 } from '../../ml/encoders/labram/prepare.ts';
import { rowOf, tableRows } from '../../ml/encoders/labram/table.ts';
import type { RunGraph } from '../../ml/encoders/types.ts';
import type { Trials } from '../../ml/types.ts';
import { seeded } from './labram-weights.ts';

const trialsOf = (channelNames: readonly string[], seconds: number, trials = 2): Trials => {
  const samples = Math.round(seconds * 256);
  const data = new Float32Array(seeded('trials', trials * channelNames.length * samples)).map((value) => value * 40);
  return { data, trials, channels: channelNames.length, samples, rateHz: 256, sourceRateHz: 256, channelNames };
};

/** A run that gives back the mean square of each channel of each window, 200 times. */
const loudness: RunGraph = async (_, { x }) => {
  const [windows, channels, patches] = x.dims;
  const length = patches * 200;
  const sites = new Float32Array(windows * channels * 200);
  const pooled = new Float32Array(windows * 200);
  for (let row = 0; row < windows * channels; row += 1) {
    const square = x.data.subarray(row * length, (row + 1) * length).reduce((sum, v) => sum + v * v, 0) / length;
    sites.fill(square, row * 200, (row + 1) * 200);
    for (let i = 0; i < 200; i += 1) pooled[Math.floor(row / channels) * 200 + i] += square / channels;
  }
  return Promise.resolve({
    sites: { dims: [windows, channels, 200], data: sites },
    pooled: { dims: [windows, 200], data: pooled },
  });
};

describe('the channels that LaBraM reads', () => {
  it('electrodes have the rows of the published table, by any of their names', () => {
    expect(['Fp1', 'fp1', 'Cz', 'CZ', 'O2', 'TPP10h'].map(rowOf)).toEqual([1, 1, 42, 42, 83, 120]);
    expect(['T3', 'T7', 'T6', 'P8'].map(rowOf)).toEqual([38, 38, 68, 68]);
    expect(rowOf('AFF1h')).toBeUndefined();
    expect(rowOf('toe')).toBeUndefined();
    expect(tableRows).toBe(129);
  });

  it('electrodes of the table are read by their own places, others not at all', () => {
    const { sites, rows, places, fixed } = readingOf({ channelNames: ['C3', 'AFF1h', 'Cz', 'C4'] });
    expect({ sites, rows, places, fixed }).toEqual({
      sites: ['C3', 'Cz', 'C4'],
      rows: [0, 2, 3],
      places: [40, 42, 44],
      fixed: false,
    });
  });

  it('with few known electrodes, or the caller’s own positions, the 19 sites are read within 60 mm', () => {
    const between = ['AFF1h', 'AFF2h', 'FFC1h', 'FFC2h', 'Cz'];
    const few = readingOf({ channelNames: between });
    expect(few.fixed).toBe(true);
    expect(few.sites).toContain('Fz');
    expect(few.sites).not.toContain('O1');
    const placed = readingOf({ channelNames: ['C3'], positions: [[0, 0.1, 0.04]] });
    expect(placed.fixed).toBe(true);
    expect(placed.places.every((place, i) => place === rowOf(placed.sites[i]))).toBe(true);
  });

  it('says why it cannot read: a short trial, no electrode near a site, a site that is missing and rejected', () => {
    const missingChannels = 'nearest';
    expect(unreadable({ channelNames: ['Cz'], seconds: 1, missingChannels })).toBeNull();
    expect(unreadable({ channelNames: ['Cz'], seconds: 0.8, missingChannels })).toMatch(/these are 0.8 s/);
    const far = { channelNames: ['A', 'B'], positions: [[1, 1, 1] as const, [2, 1, 1] as const] };
    expect(unreadable({ ...far, seconds: 2, missingChannels })).toMatch(/none of the 2 channels supplied has/);
    const between = { channelNames: ['AFF1h', 'AFF2h', 'Cz'], seconds: 2 };
    expect(unreadable({ ...between, missingChannels })).toBeNull();
    expect(unreadable({ ...between, missingChannels: 'reject' })).toMatch(/"reject": 18 of them are not among the 3/);
    expect(unreadable({ channelNames: ['C3', 'C4'], seconds: 2, missingChannels: 'reject' })).toBeNull();
  });
});

describe('the signal that LaBraM reads', () => {
  it('is cut into the fewest equal windows of at most 16 s and 256 patches', () => {
    expect(windowsOf(19, 800)).toEqual({ patches: 4, starts: [0] });
    expect(windowsOf(19, 900)).toEqual({ patches: 4, starts: [0] });
    expect(windowsOf(3, 3200)).toEqual({ patches: 16, starts: [0] });
    expect(windowsOf(3, 6000)).toEqual({ patches: 15, starts: [0, 3000] });
    expect(windowsOf(64, 2100)).toEqual({ patches: 3, starts: [0, 750, 1500] });
    expect(windowsOf(128, 400)).toEqual({ patches: 2, starts: [0] });
    expect(() => windowsOf(3, 199)).toThrow('shorter than one second');
  });

  it('is filtered as SciPy filters it', () => {
    const { filtered } = JSON.parse(readFileSync(new URL('golden/labram.json', import.meta.url), 'utf8')) as {
      filtered: readonly number[];
    };
    const x = new Float32Array(seeded('trial', 800).map((value) => 50 * value));
    const found = filteredAt200(x, 2, 400);
    expect(filtered.length).toBe(267);
    filtered.forEach((value, i) => expect(Math.abs(found[3 * i] - value)).toBeLessThan(1e-6));
  });

  it('is in tenths of a millivolt, without its mean, 50 Hz and frequencies above 75 Hz', () => {
    const wave = (hz: number): number => {
      const trials = trialsOf(['Cz'], 2, 1);
      trials.data.forEach(
        (_, i) => (trials.data[i] = 300 + 100 * Math.sqrt(2) * Math.sin((2 * Math.PI * hz * i) / 256)),
      );
      const { x } = prepare(trials, readingOf(trials));
      expect(x.dims).toEqual([1, 1, 2, 200]);
      const middle = x.data.subarray(100, 300);
      return middle.reduce((sum, value) => sum + value * value, 0) / middle.length;
    };
    expect(wave(10)).toBeCloseTo(1, 2);
    expect(wave(50)).toBeLessThan(0.01);
    expect(wave(95)).toBeLessThan(0.01);
  });

  it('a trial is embedded alike alone and among others, its windows averaged', async () => {
    const trials = trialsOf(['C3', 'Cz', 'C4'], 30, 9);
    const sets = ['pooled', 'sites'];
    const context = { recordings: null };
    const { tables: all } = await labram.encode(trials, sets, context, loudness);
    expect(all['sites']!.length).toBe(9 * labram.sets['sites']!(trials));
    expect(all['pooled']!.length).toBe(9 * labram.sets['pooled']!(trials));
    const size = trials.channels * trials.samples;
    const { tables: last } = await labram.encode(
      { ...trials, trials: 1, data: trials.data.subarray(8 * size) },
      sets,
      context,
      loudness,
    );
    expect(all['sites'].slice(8 * 600)).toEqual(last['sites']);
    expect(all['pooled'].slice(8 * 200)).toEqual(last['pooled']);
    const { x } = prepare(trials, readingOf(trials), 8, 1);
    const halves = [0, 1].map(
      (w) => x.data.subarray(w * 9000, w * 9000 + 3000).reduce((sum, v) => sum + v * v, 0) / 3000,
    );
    expect(last['sites'][0]).toBeCloseTo((halves[0] + halves[1]) / 2, 6);
  });

  it('a channel without a signal is not read, and its site is zeros', async () => {
    const trials = { ...trialsOf(['C3', 'AFF1h', 'Cz', 'C4'], 4), silent: ['Cz'] };
    const seen: number[][] = [];
    const { tables } = await labram.encode(trials, ['sites'], { recordings: null }, (graph, inputs) => {
      seen.push([...inputs['positions'].data]);
      return loudness(graph, inputs);
    });
    const sites = tables['sites']!;
    expect(seen).toEqual([[40, 44]]);
    expect([...sites].map((value, i) => [value > 0, Math.floor(i / 200) % 3 === 1] as const)).not.toContainEqual([
      true,
      true,
    ]);
    expect(sites.filter((value) => value > 0).length).toBe(2 * 2 * 200);
    const none = await labram.encode(
      { ...trials, silent: trials.channelNames },
      ['pooled'],
      { recordings: null },
      loudness,
    );
    expect(none.tables['pooled']).toEqual(new Float64Array(2 * 200));
  });
});
