import { select } from '../../ml/select/index.ts';
import { datasetShape, predictTrials, trainClassifier } from '../../ml/train/index.ts';
import { imageryTrials } from './datasets.ts';
import { median, publish, table } from './tables.ts';

const channels = [
  'FC5',
  'FC3',
  'FC1',
  'FCz',
  'FC2',
  'FC4',
  'FC6',
  'C5',
  'C3',
  'C1',
  'Cz',
  'C2',
  'C4',
  'C6',
  'CP5',
  'CP3',
  'CP1',
  'CPz',
  'CP2',
  'CP4',
  'CP6',
  'Pz',
];

/** One 4-second window of 22 channels through a fitted model of each method, in process: signal to probabilities. */
export function latency(): void {
  const { trials, labels } = imageryTrials(60, 4, channels);
  const size = trials.channels * trials.samples;
  const one = (row: number) => ({ ...trials, trials: 1, data: trials.data.slice(row * size, (row + 1) * size) });
  const { candidates } = select(datasetShape(trials, labels, null, { kind: 'motor' }));
  const rows = candidates.map(({ id }) => {
    const { model } = trainClassifier(trials, labels, null, { kind: 'motor', candidates: [id] });
    const took = Array.from({ length: 120 }, (_, i) => {
      const window = one(i % trials.trials);
      const started = performance.now();
      predictTrials(model, window, { align: 'none' });
      return performance.now() - started;
    }).slice(20);
    const sorted = took.sort((a, b) => a - b);
    return [id, sorted[9], median(took), sorted[94]];
  });
  publish(
    'latency.md',
    [
      '# Prediction latency in process',
      '',
      'One 4-second window of 22 channels at 256 Hz, filters and features included; milliseconds.',
      '',
      table(['method', 'fastest decile ms', 'median ms', '95th percentile ms'], rows, 2),
    ].join('\n'),
  );
}
