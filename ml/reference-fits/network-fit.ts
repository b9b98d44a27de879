import { encodedId } from '../encoders/ids.ts';
import { headOfTask, montageSites, movementCard, movementId, movementNetworks } from '../encoders/movement/index.ts';
import { currentVersions } from '../features/index.ts';
import { movementNetwork } from '../methods/movement.ts';
import { centresAt } from '../methods/movement/centres.ts';
import { readerAt } from '../methods/movement/reader.ts';
import { pinsOf } from '../pins/index.ts';
import { currentResampler } from '../signal/index.ts';
import { currentAnswer } from '../train/answers.ts';
import { storedFormat } from '../train/formats.ts';
import type { FittedModel } from '../train/types.ts';
import { montageScores, networkEvidence } from './network-evidence.ts';
import { networkReport } from './network-report.ts';
import { referenceRateHz } from './readings.ts';
import type { NetworkFit, ReferenceShape, ReferenceTaskShape } from './types.ts';

/**
 * Trials that the mean of people counts for when a batch of a new person is recentred. Against 8, measured on 12 people
 * left out, 8 and 19 electrodes, left or right fist imagined and movement or rest: batches of 2 and 4 trials gain 0.01
 * to 0.03, of 8 and more −0.015 to 0.008, and the log loss falls for every size. Batches of one class lose 0.02 to
 * 0.03: their mean holds the class.
 */
const othersCount = 3;

/** A reference task with its id in the catalogue. */
type NetworkedTask = ReferenceTaskShape & { readonly id: string };

/**
 * The network as a model without own trials, recentred on the mean of the people of its card. It reads the electrodes
 * of one montage of the card alone, so that the card's score is of the same reading. Its classes are ids of the task,
 * in their order. `networks`: as in `TrainingData`. Throws if the network has no head for the task, or the shape lacks
 * an electrode.
 */
export function networkModel(
  task: NetworkedTask,
  shape: ReferenceShape,
  montage: string,
  networks?: Int32Array,
): FittedModel {
  const head = headOfTask(task.id);
  if (head === null) throw new Error(`The movement network has no head for ${task.id}.`);
  const { sha256: hash } = movementCard;
  const set = encodedId({ id: movementId, hash, name: montage });
  const { sites } = montageSites(shape, montage);
  const centres = centresAt(movementNetworks(hash).centre, sites);
  const { tasks, temperature } = movementCard.heads[head];
  const { id, version, title } = movementNetwork;
  return {
    format: storedFormat,
    answer: currentAnswer(),
    method: { id, version, title },
    classes: [...task.classes],
    shape: {
      channels: shape.channelNames.length,
      samples: Math.round(shape.seconds * referenceRateHz),
      rateHz: referenceRateHz,
      sourceRateHz: shape.sourceRateHz,
      channelNames: [...shape.channelNames],
      resampler: currentResampler(),
    },
    featureSets: [set],
    featureVersions: currentVersions([set]),
    head: {
      representation: readerAt(set, { centres, sites: Int32Array.from(sites), ...(networks && { networks }) }),
      head,
      positive: task.classes.indexOf(tasks[task.id]),
      scale: 1 / temperature.alone,
      shift: 0,
      ownWeight: movementCard.ownWeight,
    },
    temperature: temperature.batch / temperature.alone,
    temperatureAlone: 1,
    centres: { [set]: centres },
    othersCount,
  };
}

/** `networkModel` with its evidence and report. Throws if the network does not read the shape. */
export function fitNetworkForPeople(task: NetworkedTask, shape: ReferenceShape): NetworkFit {
  const evidence = networkEvidence(task.id, shape);
  const scores = montageScores(task.id, shape.channelNames);
  if (!evidence || !scores) throw new Error('The movement network does not read these trials.');
  const model = networkModel(task, shape, scores.batch.montage);
  return { model, pins: pinsOf(model), evidence, report: networkReport(model, scores, evidence) };
}
