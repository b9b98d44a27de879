import type { WarmUpTask } from '../../infra/drivers/threads/warm-up.ts';
import { createRandom } from '../../ml/random.ts';
import { networkModel } from '../../ml/reference-fits/network-fit.ts';
import type { ReferenceShape } from '../../ml/reference-fits/types.ts';
import { predictTrials, trainClassifier, type FittedModel } from '../../ml/train/index.ts';
import { intake } from '../intake/intake.ts';
import { matchTask } from '../intake/match-task.ts';
import { planFit, refuseUnsupported } from '../intake/plan-fit.ts';

/** Warm-up tasks of an API thread. */
export const warmUp: readonly WarmUpTask[] = [{ task: 'warmUp', payload: null }];

const names = ['C3', 'Cz', 'C4', 'CP3', 'CP4', 'FC3', 'FC4', 'Pz'];
const [trials, samples, rateHz] = [40, 250, 250];
const signal = { sampling_rate_hz: rateHz, units: 'uV', channels: names };
const description = 'Imagined movement: left fist, right fist';
const method = 'tangent-logistic';
/** After this many runs the compiler has optimised the hot code. */
const [creates, predictions] = [4, 40];

/** Simulated noise in the form of a request body. Deterministic. */
function simulatedTrials(count: number, length: number = samples): { x: string; shape: number[] } {
  const random = createRandom(14);
  const values = new Float32Array(count * names.length * length);
  for (let i = 0; i < values.length; i += 1) values[i] = 40 * (random() - 0.5);
  return { x: Buffer.from(values.buffer).toString('base64'), shape: [count, names.length, length] };
}

const labelsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, trial) => (trial % 2 ? 'left fist' : 'right fist'));

const bodyOf = (body: object): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(JSON.stringify(body)));

/** The body of a create with this many simulated trials of this many samples. */
const simulatedCreate = (count: number, length: number = samples): Uint8Array<ArrayBuffer> =>
  bodyOf({ description, ...simulatedTrials(count, length), labels: labelsOf(count), ...signal });

/** The movement network as a model, which this thread then has read before its first use; null: unusable weights. */
function networkOf(shape: ReferenceShape): FittedModel | null {
  const classes = ['left_fist_imagined', 'right_fist_imagined'];
  const task = { id: 'left-right-fist-imagined', kind: 'motor', classes } as const;
  try {
    return networkModel(task, shape, 'central3');
  } catch {
    return null;
  }
}

/**
 * Reads the body of a small create a few times, plans its fit, fits one method and predicts one trial at a time, in the
 * calling thread. Returns the number of predictions.
 */
export function warmUpTask(_: null): number {
  const labels = labelsOf(trials);
  const whole = simulatedCreate(trials);
  for (let i = 1; i < creates; i += 1) intake(whole, 'create');
  const create = intake(whole, 'create');
  if (!create.ok || !create.trials) return 0;
  refuseUnsupported({ description, labels });
  const shape = { channelNames: create.channelNames, seconds: samples / rateHz, sourceRateHz: rateHz };
  matchTask({ description, classes: [...new Set(labels)], shape });
  planFit({
    description,
    trialsPerClass: { 'left fist': trials / 2, 'right fist': trials / 2 },
    ...shape,
    samples: create.trials.samples,
    sessions: 1,
    storedFeaturesOnly: false,
    missingChannels: 'nearest',
  });
  const { model } = trainClassifier(create.trials, labels, null, { kind: 'motor', candidates: [method] });
  const network = networkOf(shape);
  const one = bodyOf({ ...simulatedTrials(1), ...signal });
  let made = 0;
  for (let i = 0; i < predictions; i += 1) {
    const read = intake(one, 'predict');
    if (!read.ok || !read.trials) continue;
    made += predictTrials(model, read.trials, { align: 'none' }).length > 0 ? 1 : 0;
    if (network) predictTrials(network, read.trials, { align: 'none' });
  }
  return made;
}
