import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { decode, decodeFormat, encode } from '../../infra/drivers/codec.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methods, prepareMethods } from '../../ml/methods/index.ts';
import type { Method } from '../../ml/methods/index.ts';
import { currentResampler, resamplerAt } from '../../ml/signal/index.ts';
import { datasetShape, fitWinner, predictTrials, storedFormat, trainingData } from '../../ml/train/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { pick, simulated } from './simulated.ts';

const folder = fileURLToPath(new URL('../recorded-models/', import.meta.url));
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
const kinds: Readonly<Record<string, Parameters<typeof simulated>[0]>> = {
  short: { count: 45, channels: 4, samples: 250, strength: 0.4, seed: 11 },
  wide: { count: 45, channels: 8, samples: 250, strength: 0.4, seed: 12 },
  long: { count: 35, channels: 2, samples: 2000, strength: 0.2, seed: 13 },
  many: { count: 325, channels: 3, samples: 125, strength: 0.4, seed: 14 },
};
const kept = 5;
const frequenciesHz = [12, 15];

const write = (name: string, value: unknown): void =>
  writeFileSync(`${folder}${name}.cbor.gz`, gzipSync(encode(value), { level: 9 }));
const read = (name: string): Uint8Array => gunzipSync(readFileSync(`${folder}${name}.cbor.gz`));

/** Names of the recorded models, in order. */
export const recordedNames = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.cbor.gz') && !name.startsWith('trials-'))
    .map((name) => name.slice(0, -'.cbor.gz'.length))
    .sort();

export const readRecorded = (name: string): Recorded => decode<Recorded>(read(name));

export const modelOf = ({ model }: Pick<Recorded, 'model'>): FittedModel =>
  decodeFormat<FittedModel>(model, storedFormat, 'model');

export const sentTrials = (kind: string): Sent => decode<Sent>(read(`trials-${kind}`));

/** Trials as intake leaves them: at 256 Hz, by the resampler of a version. */
export function received(sent: Sent, resampler: number = currentResampler()): Trials {
  const rows = sent.trials * sent.channels;
  const { data, samples } = resamplerAt(resampler)(sent.data, rows, sent.samples, sent.rateHz, 256);
  return { ...sent, data, samples, rateHz: 256, sourceRateHz: sent.rateHz, resampler };
}

/** What a model answers for trials as sent. */
export function answersOf(model: FittedModel, sent: Sent): Pick<Recorded, 'none' | 'batch'> {
  const trials = received(sent, model.shape.resampler);
  const [none, batch] = aligns.map((align) => predictTrials(model, trials, { align }));
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
  const { trials, labels, sessions } = simulated(kinds[kind]!);
  const all = { trials: { ...trials, rateHz: sentHz, sourceRateHz: sentHz }, labels, sessions };
  const rows = [...labels.keys()];
  return { learn: pick(all, rows.slice(kept)), sent: pick(all, rows.slice(0, kept)).trials };
}

async function fitted(method: Method, kind: string): Promise<FittedModel> {
  await prepareMethods([method]);
  const { trials, labels, sessions } = dataOf(kind).learn;
  const features = extractFeatures(received(trials), method.featureSets({ frequenciesHz }));
  const choice = { method: method.id, version: method.version, temperature: 1, explanation: '' };
  return fitWinner(choice, trainingData(features, labels, sessions), createWorkspace());
}

function kindFor(method: Method): string {
  const readable = Object.keys(kinds).find((kind) => {
    const { trials, labels, sessions } = dataOf(kind).learn;
    return method.unreadable(datasetShape(received(trials), labels, sessions, { frequenciesHz })) === null;
  });
  if (!readable) throw new Error(`No kind of recorded trials suits ${method.id}.`);
  return readable;
}

/**
 * The model at a temperature at which some of its answers are far from 0 and 1, where a change of its scores would
 * hardly show.
 */
function undecided(model: FittedModel, sent: Sent): FittedModel {
  const open = isOpen(answersOf(model, sent).none);
  return open || model.temperature > 1e3 ? model : undecided({ ...model, temperature: model.temperature * 2 }, sent);
}

/** Whether half of the probabilities lie between 0.05 and 0.95. */
export const isOpen = (probabilities: Float64Array): boolean =>
  2 * probabilities.filter((value) => value > 0.05 && value < 0.95).length >= probabilities.length;

/** Records every method of the registry anew. */
export async function recordModels(): Promise<void> {
  for (const kind of Object.keys(kinds)) {
    const { sourceRateHz: _, ...sent } = dataOf(kind).sent;
    write(`trials-${kind}`, sent);
  }
  for (const method of methods) {
    const trials = kindFor(method);
    const sent = sentTrials(trials);
    const model = encode(undecided(await fitted(method, trials), sent));
    const answers = answersOf(modelOf({ model }), sent);
    write(`${method.id}@${method.version}`, { trials, model, ...answers } satisfies Recorded);
  }
}
