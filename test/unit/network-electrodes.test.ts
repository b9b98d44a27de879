import { describe, expect, it } from 'vitest';
import { createPredict } from '../../api/predict/predict.ts';
import { encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { headPositionOf } from '../../ml/channels/index.ts';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { networkModel } from '../../ml/reference-fits/network-fit.ts';
import { trainClassifier, type FittedModel } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { handSignals } from '../support/hand-trials.ts';
import { noEncoders } from '../support/no-encoders.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';

const channels = ['Pz', 'C4', 'FC3', 'C3', 'CP4', 'Cz', 'FC4', 'CP3'];
const { trials, labels } = handSignals({ channels, trials: 24, seed: 9 });
const one: Trials = { ...trials, trials: 1, data: trials.data.slice(0, channels.length * trials.samples) };
const at = (names: readonly string[]) => names.map((name) => headPositionOf(name)!);

/** The trial with its channels in another order, and the same positions if it has some. */
function reversed({ data, samples, positions, ...rest }: Trials): Trials {
  const rows = channels.map((_, c) => data.subarray(c * samples, (c + 1) * samples)).reverse();
  const moved = new Float32Array(data.length);
  rows.forEach((row, c) => moved.set(row, c * samples));
  return {
    ...rest,
    samples,
    data: moved,
    channelNames: channels.toReversed(),
    ...(positions && { positions: positions.toReversed() }),
  };
}

provideStandInMovement();

const task = { id: 'left-right-fist-imagined', kind: 'motor', classes: ['left', 'right'] } as const;
const withoutTrials = networkModel(task, { channelNames: channels, seconds: 4, sourceRateHz: 256 }, 'central3');
const options = {
  kind: 'motor',
  network: { head: 'left_right_imagined', positive: 1 },
  encoders: { movement: { hash: movementCard.sha256 } },
  candidates: ['movement-network'],
} as const;
const fitted = (positions?: Trials['positions']): FittedModel =>
  trainClassifier({ ...trials, ...(positions && { positions }) }, labels, null, options).model;

const predictWith = async (model: FittedModel, sent: Trials) => {
  const predict = createPredict({ get: async () => encode(model) } as unknown as ObjectStore, noEncoders);
  return predict({
    modelRef: 'models/m',
    trials: sent,
    align: 'none',
    strideSeconds: null,
    missingChannels: 'nearest',
    recordings: null,
  });
};

describe.each([
  ['without own trials', withoutTrials],
  ['with own trials', fitted()],
  ['with own trials and positions', fitted(at(channels))],
] as const)('a model of the network %s', (_, model) => {
  it('gives the same answer for channels in another order', async () => {
    const [own, other] = [await predictWith(model, one), await predictWith(model, reversed(one))];
    expect(other.data).toBe(own.data);
    const placed = { ...one, positions: at(channels) };
    expect((await predictWith(model, reversed(placed))).data).toBe((await predictWith(model, placed)).data);
  });

  it('reads the electrodes of its fit where a prediction sends other positions', async () => {
    const elsewhere = { ...one, positions: at(['Fz', 'O1', 'O2', 'T7', 'T8', 'F3', 'F4', 'P3']) };
    const far = { ...one, positions: channels.map((__, c) => [0.05, 0.01 * c, -0.1] as const) };
    const own = await predictWith(model, one);
    for (const sent of [elsewhere, far]) expect((await predictWith(model, sent)).data).toBe(own.data);
  });
});

it('a model of the network warns that other positions were not used', async () => {
  const { warnings } = await predictWith(fitted(), { ...one, positions: at(channels.toReversed()) });
  expect(warnings.join()).toContain('`positions` were not used');
});
