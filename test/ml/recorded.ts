import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decode, decodeFormat, encode } from '../../infra/drivers/codec.ts';
import { familyOf, readFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methods, prepareMethods } from '../../ml/methods/index.ts';
import type { Method } from '../../ml/methods/index.ts';
import { headPositionOf } from '../../ml/channels/index.ts';
import { pinsOf } from '../../ml/pins/index.ts';
import { currentResampler, resamplerAt } from '../../ml/signal/index.ts';
import { datasetShape, fitWinner, predictEncoded, storedFormat, trainingData } from '../../ml/train/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { rowsOfEach } from '../../ml/rows.ts';
import { standInEncoders, standInAvailability } from '../support/stand-in-encoders.ts';
import { choiceOf } from './choice-of.ts';
import { pick, simulated } from './simulated.ts';
import { standingFor, withReference } from './with-reference.ts';

/** Where the recorded models are. */
export const recordedFolder = fileURLToPath(new URL('../recorded-models/', import.meta.url));
const sentHz = 250;
const aligns = ['none', 'batch'] as const;

/** Trials as sent: microvolts at 250 Hz. */
export type Sent = Omit<Trials, 'resampler' | 'sourceRateHz'>;

export interface Recorded {
  readonly trials: string;
  /** Encoded `FittedModel`. */
  readonly model: Uint8Array;
  /** Probabilities [trials × classes] for each `align`. */
  readonly none: Float64Array;
  readonly batch: Float64Array;
}

/** What is simulated for methods that read little; a method takes the first kind that it can read. */
const simulations: Readonly<Record<string, Parameters<typeof simulated>[0]>> = {
  short: { count: 45, channels: 4, samples: 250, strength: 0.4, seed: 11 },
  wide: { count: 45, channels: 8, samples: 250, strength: 0.4, seed: 12 },
  long: { count: 35, channels: 2, samples: 2000, strength: 0.2, seed: 13 },
  many: { count: 325, channels: 3, samples: 125, strength: 0.4, seed: 14 },
  placed: { count: 45, channels: 8, samples: 250, strength: 0.4, seed: 15 },
};
/** Kinds whose trials say where their electrodes are: at the sites of other names. */
const sites: Readonly<Record<string, readonly string[]>> = {
  placed: ['F3', 'Fz', 'F4', 'Pz', 'P3', 'P4', 'C3', 'C4'],
};
/** Families of features that read where the electrodes are. */
const readsPositions: readonly string[] = ['sites19', 'laplacian'];
const kept = 5;
const frequenciesHz = [12, 15];
/** What methods are asked for their sets with. */
export const shapeRead = {
  frequenciesHz,
  encoders: standInAvailability,
  network: { head: 'left_right_imagined', positive: 1 },
} as const;

const fileOf = (folder: string, name: string): string => `${folder}${name}.cbor.gz`;
const read = (folder: string, name: string): Uint8Array => gunzipSync(readFileSync(fileOf(folder, name)));
const write = (folder: string, name: string, value: unknown): void =>
  writeFileSync(fileOf(folder, name), gzipSync(encode(value), { level: 9 }));

/** Names of the recorded models in a folder, in order. */
export const recordedNames = (folder: string = recordedFolder): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.cbor.gz') && !name.startsWith('trials-'))
    .map((name) => name.slice(0, -'.cbor.gz'.length))
    .sort();

/** Names of the recorded models of a version of a method. */
export const recordedOf = (id: string, version: string): string[] =>
  recordedNames().filter((name) => name.startsWith(`${id}@${version}.`));

export const readRecorded = (name: string): Recorded => decode<Recorded>(read(recordedFolder, name));

/**
 * Name of a recorded model: its method, the kind of its trials and the first 8 hex digits of the hash of its pins, so
 * that a recording never takes the place of one that needs other code.
 */
function nameOf(model: FittedModel, kind: string): string {
  const hash = createHash('sha256').update(pinsOf(model).join('\n')).digest('hex').slice(0, 8);
  return `${model.method.id}@${model.method.version}.${kind}.${hash}`;
}

export const modelOf = ({ model }: Pick<Recorded, 'model'>): FittedModel =>
  decodeFormat<FittedModel>(model, storedFormat, 'model');

export const sentTrials = (kind: string, folder: string = recordedFolder): Sent =>
  decode<Sent>(read(folder, `trials-${kind}`));

/** Trials as intake leaves them: at 256 Hz, by the resampler of a version. */
export function received(sent: Sent, resampler: number = currentResampler()): Trials {
  const rows = sent.trials * sent.channels;
  const { data, samples } = resamplerAt(resampler)(sent.data, rows, sent.samples, sent.rateHz, 256);
  return { ...sent, data, samples, rateHz: 256, sourceRateHz: sent.rateHz, resampler };
}

/** What a model answers for trials as sent. */
export async function answersOf(model: FittedModel, sent: Sent): Promise<Pick<Recorded, 'none' | 'batch'>> {
  const trials = received(sent, model.shape.resampler);
  const [none, batch] = await Promise.all(
    aligns.map((align) => predictEncoded(model, trials, { align }, standInEncoders)),
  );
  return { none: none!, batch: batch! };
}

/** The largest difference between two answers; infinite where one is not a number. */
export const largestMove = (a: Pick<Recorded, 'none' | 'batch'>, b: Pick<Recorded, 'none' | 'batch'>): number =>
  Math.max(
    ...aligns.flatMap((align) =>
      [...a[align]].map((value, i) => {
        const move = Math.abs(value - b[align][i]!);
        return Number.isNaN(move) ? Number.POSITIVE_INFINITY : move;
      }),
    ),
  );

/** Sent trials of a kind with labels: those to fit on, and the few that are recorded. */
function dataOf(kind: string) {
  const { trials, labels, sessions } = simulated(simulations[kind]!);
  const positions = sites[kind]?.map((name) => headPositionOf(name)!);
  const placed = { ...trials, rateHz: sentHz, sourceRateHz: sentHz, ...(positions ? { positions } : {}) };
  const all = { trials: placed, labels, sessions };
  const rows = [...labels.keys()];
  return { learn: pick(all, rows.slice(kept)), sent: pick(all, rows.slice(0, kept)).trials };
}

async function fitted(method: Method, kind: string): Promise<FittedModel> {
  await prepareMethods([method]);
  const { trials, labels, sessions } = dataOf(kind).learn;
  const features = await readFeatures(received(trials), method.featureSets(shapeRead), {
    encoders: standInEncoders,
    recordings: rowsOfEach(sessions),
  });
  const { network } = shapeRead;
  const data = withReference(method, trainingData(features, labels, sessions, { network }));
  return fitWinner(choiceOf(method.id, data), data, createWorkspace());
}

/** The first kind that a method can read, and every kind with positions that it reads and that move its numbers. */
function kindsFor(method: Method): string[] {
  const readable = Object.keys(simulations).filter((kind) => {
    const { trials, labels, sessions } = dataOf(kind).learn;
    const options = { frequenciesHz, ...standingFor(method) };
    const shape = { ...datasetShape(received(trials), labels, sessions, options), ...shapeRead };
    return method.unreadable(shape) === null;
  });
  if (readable.length === 0) throw new Error(`No kind of recorded trials suits ${method.id}.`);
  const placed = method.featureSets(shapeRead).some((set) => readsPositions.includes(familyOf(set)));
  return readable.filter((kind, at) => at === 0 || (placed && kind in sites));
}

/**
 * The model at a temperature at which some of its answers are far from 0 and 1, where a change of its scores would
 * hardly show.
 */
async function undecided(model: FittedModel, sent: Sent): Promise<FittedModel> {
  const open = isOpen((await answersOf(model, sent)).none);
  return open || model.temperature > 1e3 ? model : undecided({ ...model, temperature: model.temperature * 2 }, sent);
}

/** Whether half of the probabilities lie between 0.05 and 0.95. */
export const isOpen = (probabilities: Float64Array): boolean =>
  2 * probabilities.filter((value) => value > 0.05 && value < 0.95).length >= probabilities.length;

/** The sent trials of a kind, written where they are not yet; models recorded earlier need them as they are. */
function writeTrials(folder: string, kind: string): Sent {
  const { sourceRateHz: _, ...sent } = dataOf(kind).sent;
  const name = `trials-${kind}`;
  if (!existsSync(fileOf(folder, name))) write(folder, name, sent);
  if (!Buffer.from(encode(sent)).equals(read(folder, name)))
    throw new Error(`${name} is no longer what is simulated: give the changed simulation a kind of its own.`);
  return sentTrials(kind, folder);
}

/** Records methods of the registry (all, where none are given) at their current pins; recordings of other pins stay. */
export async function recordModels(folder: string = recordedFolder, rows: readonly Method[] = methods): Promise<void> {
  for (const method of rows) {
    for (const kind of kindsFor(method)) {
      const sent = writeTrials(folder, kind);
      const model = await undecided(await fitted(method, kind), sent);
      const answers = await answersOf(model, sent);
      write(folder, nameOf(model, kind), { trials: kind, model: encode(model), ...answers } satisfies Recorded);
    }
  }
}
