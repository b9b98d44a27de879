import { trainClassifier } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { mean, publish, table } from './tables.ts';

const [channels, samples] = [6, 256];
const channelNames = ['C3', 'Cz', 'C4', 'CP3', 'CPz', 'CP4'];

/** Pure noise: what the reports promise where there is nothing to learn, over many runs. */
export function noise({ runs = 200 }: { readonly runs?: number }): void {
  const rows = [10, 20, 40, 100].map((trials) => {
    const reports = Array.from({ length: runs }, (_, run) => once(trials, 1 + run + 1000 * trials));
    const corrected = reports.map((report) => (report['corrected'] as { balanced_accuracy: number }).balanced_accuracy);
    const spread = Math.sqrt(mean(corrected.map((value) => (value - mean(corrected)) ** 2)));
    const small = reports.filter((report) => (report['p_value'] as number) <= 0.05).length / runs;
    const row = [
      String(trials),
      String(runs),
      mean(reports.map((report) => report.balanced_accuracy)),
      mean(corrected),
      mean(corrected) - 0.5,
      spread / Math.sqrt(runs),
      small,
    ];
    console.log(row.map((value) => (typeof value === 'number' ? value.toFixed(3) : value)).join('  '));
    return row;
  });
  publish(
    runs < 200 ? 'noise-partial.md' : 'noise.md',
    [
      '# Pure noise',
      '',
      `Gaussian noise, ${channels} channels × 1 s, two balanced classes, all motor methods; chance is 0.5.`,
      '',
      table(
        [
          'trials',
          'runs',
          'winner, cross-validated',
          'corrected',
          'corrected minus chance',
          'standard error',
          'share of p ≤ 0.05',
        ],
        rows,
      ),
    ].join('\n'),
  );
}

function once(count: number, seed: number) {
  const random = gaussian(seed);
  const data = Float32Array.from({ length: count * channels * samples }, () => 10 * random());
  const trials: Trials = { data, trials: count, channels, samples, rateHz: 256, sourceRateHz: 256, channelNames };
  return trainClassifier(
    trials,
    Array.from({ length: count }, (_, i) => (i % 2 ? 'right' : 'left')),
    null,
    { kind: 'motor' },
  ).report;
}

/** Standard normal numbers from a seed: Marsaglia's polar method over mulberry32. */
function gaussian(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => {
    for (;;) {
      const [u, v] = [2 * uniform() - 1, 2 * uniform() - 1];
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
}
