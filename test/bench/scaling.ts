import { trainClassifier } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { imageryTrials } from './datasets.ts';
import { publish, table } from './tables.ts';

/** Seconds of the whole create in one thread as trials and channels grow; real imagery, 1-second trials, repeated where there are too few. */
export function scaling(): void {
  const most = imageryTrials(1000, 1);
  const sizes = [100, 200, 400, 1000, 2000, 4000];
  run(most, 100, 8);
  const byTrials = sizes.map((trials) => [String(trials), run(most, trials, 16)] as const);
  const byChannels = [4, 8, 16, 32, 64].map((channels) => [String(channels), run(most, 200, channels)] as const);
  const rows = (points: readonly (readonly [string, number])[]) =>
    points.map(([size, seconds], i) => {
      const [before, earlier] = points[i - 1] ?? [];
      return [
        size,
        seconds,
        earlier && before ? Math.log(seconds / earlier) / Math.log(Number(size) / Number(before)) : Number.NaN,
      ];
    });
  publish(
    'scaling.md',
    [
      '# How the cost of a create grows',
      '',
      'Whole create, one thread, 1-second trials, motor methods. Exponent: 1 is linear, 2 quadratic (from the row above).',
      '',
      '## Trials (16 channels)',
      '',
      table(['trials', 'seconds', 'exponent'], rows(byTrials), 2),
      '',
      overall(byTrials),
      '',
      '## Channels (200 trials)',
      '',
      table(['channels', 'seconds', 'exponent'], rows(byChannels), 2),
      '',
      overall(byChannels),
    ].join('\n'),
  );
}

function overall(points: readonly (readonly [string, number])[]): string {
  const [[from, first], [to, last]] = [points[0]!, points.at(-1)!];
  const [times, growth] = [Number(to) / Number(from), last / first];
  return `From ${from} to ${to}, ${times} times as many: ${growth.toFixed(1)} times as long, exponent ${(Math.log(growth) / Math.log(times)).toFixed(2)}.`;
}

function run(source: { trials: Trials; labels: readonly string[] }, count: number, channels: number): number {
  const { trials: all } = source;
  const step = Math.floor(all.channels / channels);
  const samples = all.samples;
  const data = new Float32Array(count * channels * samples);
  for (let row = 0; row < count; row++) {
    for (let channel = 0; channel < channels; channel++) {
      const from = ((row % all.trials) * all.channels + channel * step) * samples;
      data.set(all.data.subarray(from, from + samples), (row * channels + channel) * samples);
    }
  }
  const trials: Trials = {
    ...all,
    data,
    trials: count,
    channels,
    channelNames: Array.from({ length: channels }, (_, i) => all.channelNames[i * step]!),
  };
  const labels = Array.from({ length: count }, (_, row) => source.labels[row % all.trials]!);
  const started = performance.now();
  trainClassifier(trials, labels, null, { kind: 'motor' });
  const seconds = (performance.now() - started) / 1000;
  console.log(`${count} trials × ${channels} channels: ${seconds.toFixed(2)} s`);
  return seconds;
}
