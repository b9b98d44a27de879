import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { movementCard, provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape, predictTrials, trainClassifier } from '../../ml/train/index.ts';
import type { TrainOptions } from '../../ml/train/index.ts';
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

const network: TrainOptions = {
  network: { head: 'left_right_imagined', positive: 1 },
  encoders: { movement: { hash: movementCard.sha256 } },
};

/**
 * One 4-second window of 22 channels through a fitted model of each method, and through the whole choice without and
 * with the movement network, in process: signal to probabilities. Bar: the network adds at most a millisecond.
 */
export function latency(): void {
  provideMovementWeights(shippedWeights);
  const { trials, labels } = imageryTrials(60, 4, channels);
  const size = trials.channels * trials.samples;
  const one = (row: number) => ({ ...trials, trials: 1, data: trials.data.slice(row * size, (row + 1) * size) });
  const timesOf = (name: string, options: TrainOptions): (string | number)[] => {
    const { model } = trainClassifier(trials, labels, null, { kind: 'motor', ...options });
    const took = Array.from({ length: 120 }, (_, i) => {
      const window = one(i % trials.trials);
      const started = performance.now();
      predictTrials(model, window, { align: 'none' });
      return performance.now() - started;
    }).slice(20);
    const sorted = took.sort((a, b) => a - b);
    return [name, sorted[9]!, median(took), sorted[94]!];
  };
  const { candidates } = select(datasetShape(trials, labels, null, { kind: 'motor', ...network }));
  const rows = [
    ...candidates.map(({ id }) => timesOf(id, { ...network, candidates: [id] })),
    timesOf('whole choice without the network', {}),
    timesOf('whole choice', network),
  ];
  publish(
    'latency.md',
    [
      '# Prediction latency in process',
      '',
      'One 4-second window of 22 channels at 256 Hz, filters and features included; milliseconds. Bar: the network adds at most 1.',
      '',
      table(['method', 'fastest decile ms', 'median ms', '95th percentile ms'], rows, 2),
    ].join('\n'),
  );
}
