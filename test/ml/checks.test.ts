import { describe, expect, it } from 'vitest';
import { checkTrials } from '../../ml/checks/index.ts';
import { createRandom } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';
import { changed, channels, copied, finding, found, labels, sample, samples, size } from './checked-sample.ts';

/** A recording of noise that is smooth enough to look like EEG. [channels × length] */
function recording(length: number): number[][] {
  const random = createRandom(5);
  return Array.from({ length: channels }, () => {
    let value = 0;
    return Array.from({ length }, () => (value = 0.9 * value + 20 * (random() - 0.5)));
  });
}
/** Windows of a recording that begin every `step` samples. */
function windows(step: number, change: (row: number[], trial: number) => number[] = (row) => row): Trials {
  const rows = recording(20 * samples);
  const data = Array.from({ length: 20 }, (_, t) =>
    rows.flatMap((row) => change(row.slice(t * step, t * step + samples), t)),
  );
  return { ...sample.trials, data: new Float32Array(data.flat()) };
}

describe('the checks of the data', () => {
  it('find nothing in clean trials, whatever their length, offset or order', () => {
    expect(found(sample.trials, { units: 'uV', sessions: null })).toEqual([]);
    expect(found(windows(samples))).toEqual([]);
    expect(found(changed((value) => value + 40))).toEqual([]);
  });

  it('find channels and trials that carry no signal, and name what to leave out', () => {
    expect(
      finding(
        'flat_channels',
        changed((value, _, c) => (c === 1 ? 7 : value)),
      ),
    ).toMatchObject({
      message: expect.stringContaining(`Flat channels: ${sample.trials.channelNames[1]} carry`),
      remove: { channels: [sample.trials.channelNames[1]], trials: [] },
    });
    expect(
      finding(
        'flat_trials',
        changed((value, t) => (t === 3 || t === 9 ? 0 : value)),
      ),
    ).toMatchObject({
      message: expect.stringContaining('2 of 20 hold one value throughout in every channel (3, 9)'),
      remove: { channels: [], trials: [3, 9] },
    });
    expect(
      finding(
        'dropouts',
        changed((value, t, c) => (c === 2 && t < 5 ? 0 : value)),
      )?.message,
    ).toContain(`${sample.trials.channelNames[2]} in 5 of 20 trials is constant`);
    for (const value of [0, 3]) expect(found(changed(() => value)).map(({ check }) => check)).toEqual(['flat_trials']);
  });

  it('find trials that an artefact dominates, if they are few', () => {
    expect(
      finding(
        'artefacts',
        changed((value, t, c) => (t === 3 || (t === 9 && c === 1) ? 100 * value : value)),
      ),
    ).toMatchObject({
      message: expect.stringContaining('in 2 of 20 trials (3, 9) a channel varies by more than 50 times'),
      remove: { channels: [], trials: [3, 9] },
    });
    const often = changed((value, t) => (t % 6 === 3 ? 100 * value : value));
    expect(found(often).map(({ check }) => check)).not.toContain('artefacts');
  });

  it('find copies of channels and of trials', () => {
    const channel = copied((data) => {
      for (let t = 0; t < 20; t += 1) data.copyWithin(t * size + 2 * samples, t * size, t * size + samples);
    });
    expect(finding('doubled_channels', channel)).toMatchObject({
      message: expect.stringContaining('C3 = C4'),
      remove: { channels: ['C4'], trials: [] },
    });
    const trial = copied((data) => {
      data.copyWithin(7 * size, 2 * size, 3 * size);
      data.copyWithin(19 * size, 0, size);
    });
    const swapped = labels.map((label, t) => (t === 19 ? (labels[0] === 'class 0' ? 'class 1' : 'class 0') : label));
    const kept = swapped.map((label, t) => (t === 7 ? swapped[2] : label));
    expect(finding('doubled_trials', trial, { labels: kept })).toMatchObject({
      message: expect.stringMatching(/same trial twice: 2 = 7, 0 = 19 .*1 of these pairs have two different labels/),
      remove: { channels: [], trials: [7, 19] },
    });
  });

  it('find sliding windows, also in any order and with the mean taken off each', () => {
    const half = samples >> 1;
    const message = finding('overlapping_trials', windows(half))?.message;
    expect(message).toContain(`begins ${half / 256} s into trial 0, which lasts ${samples / 256} s`);
    expect(message).toContain('18 more pairs overlap');
    const centred = windows(half, (row) => {
      const mean = row.reduce((a, b) => a + b, 0) / row.length;
      return row.map((value) => value - mean);
    });
    expect(finding('overlapping_trials', centred)?.message).toContain('18 more pairs overlap');
    const shuffled = copied((data) => {
      const source = windows(samples - 48).data;
      for (let t = 0; t < 20; t += 1) data.set(source.subarray(t * size, (t + 1) * size), ((t * 7) % 20) * size);
    });
    expect(finding('overlapping_trials', shuffled)?.message).toContain('18 more pairs overlap');
  });

  it('do not mistake a rhythm for an overlap', () => {
    const rhythm = changed((_, t, c, i) => 20 * Math.sin(i / 4 + t + c));
    expect(finding('overlapping_trials', rhythm)).toBeUndefined();
  });

  it.each([
    ['uV', 1e-6, 'V'],
    ['uV', 1e-3, 'mV'],
    ['V', 1e6, 'uV'],
    ['mV', 1e3, 'uV'],
  ] as const)('a signal declared in %s that is %d times too large is offered in %s', (units, factor, right) => {
    expect(
      finding(
        'units',
        changed((value) => value * factor),
        { units },
      ),
    ).toMatchObject({ change: { units: right } });
    expect(
      finding(
        'units',
        changed((value) => value * factor),
      )?.change,
    ).toBeNull();
  });

  it('find offsets of direct-coupled amplifiers', () => {
    const far = finding(
      'offsets',
      changed((value, _, c) => (c === 1 ? value + 20_000 : value)),
    );
    expect(far?.message).toMatch(/^Offsets: \S+ 2\d{4} µV \(varies by/);
  });

  it('find channels that are combinations of others, but not an average reference', () => {
    const mixed = copied((data) => {
      for (let t = 0; t < 20; t += 1)
        for (let i = 0; i < samples; i += 1) {
          const at = (c: number) => t * size + c * samples + i;
          data[at(4)] = (data[at(0)] + data[at(1)]) / 2;
          data[at(5)] = (data[at(2)] + data[at(3)]) / 2;
        }
    });
    expect(finding('rank', mixed)?.message).toContain('the 6 channels have rank 4, so 2 of them');
    const average = copied((data) => {
      for (let t = 0; t < 20; t += 1)
        for (let i = 0; i < samples; i += 1) {
          let mean = 0;
          for (let c = 0; c < channels; c += 1) mean += data[t * size + c * samples + i] / channels;
          for (let c = 0; c < channels; c += 1) data[t * size + c * samples + i] -= mean;
        }
    });
    expect(finding('rank', average)).toBeUndefined();
  });

  it('find line noise, and offer the sampling rate that line noise would have', () => {
    const tone = (hz: number, factor: number) =>
      changed((value, _, __, i) => value + factor * Math.sin((2 * Math.PI * hz * i) / 256));
    expect(finding('line_noise', tone(50, 60))?.message).toMatch(/50 Hz is \d+ times/);
    expect(finding('rate', tone(50, 60))).toBeUndefined();
    expect(finding('rate', tone(25, 400))).toMatchObject({
      change: { sampling_rate_hz: 2 * sample.trials.sourceRateHz },
    });
  });

  it('report to a prediction only problems that it can change', () => {
    expect(checkTrials({ trials: changed((value, t) => (t === 1 ? 0 : value)) })).toMatchObject([
      { check: 'flat_trials', message: expect.stringContaining('(1). Their labels mean nothing.') },
    ]);
    expect(checkTrials({ trials: changed((value, _, c) => (c === 1 ? 0 : value)) })).toMatchObject([
      { check: 'flat_channels', message: expect.stringContaining('The model was fitted on them'), remove: null },
    ]);
    expect(checkTrials({ trials: sample.trials })).toEqual([]);
    expect(checkTrials({ trials: { ...sample.trials, sourceRateHz: 64 } }).map(({ check }) => check)).toEqual([
      'low_rate',
    ]);
  });

  it('take any shape, down to one number', () => {
    for (const [count, rows, length] of [
      [1, 1, 1],
      [2, 1, 2],
      [3, 2, 1],
      [5, 3, 33],
    ])
      expect(() =>
        checkTrials({
          trials: {
            ...sample.trials,
            trials: count,
            channels: rows,
            samples: length,
            channelNames: sample.trials.channelNames.slice(0, rows),
            data: Float32Array.from({ length: count * rows * length }, (_, i) => Math.sin(i)),
          },
          labels: Array.from({ length: count }, (_, t) => String(t % 2)),
        }),
      ).not.toThrow();
  });
});
