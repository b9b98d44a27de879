import { movementCard, networksWithout } from '../encoders/movement/index.ts';
import { hasBank } from '../methods/movement/reader.ts';
import { centreOf } from '../methods/recentring.ts';
import { createWorkspace } from '../methods/index.ts';
import type { Workspace } from '../methods/index.ts';
import { someChannels } from '../methods/parts/reference-space.ts';
import { packedSize, tangentVectors, unpackUpper } from '../geometry/index.ts';
import { squareOf } from '../matrix.ts';
import { range, rowsOfEach, takeRows } from '../rows.ts';
import { rowsWithoutArtefacts } from '../train/without-artefacts.ts';
import type { TrainingData } from '../train/types.ts';
import type { Features, ReferencePeople } from '../types.ts';
import { sketchesOf } from './person-sketches.ts';
import { likenessTo, recognised } from './recognise-people.ts';
import { reasonSentence } from '../reason-sentences.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Limits: recordings that are compared (the largest), blocks (spread over all), trials of each. */
const most = { recordings: 32, blocks: 32, trials: 200 } as const;
/** Parts with fewer trials are not compared: they have no useful mean. */
const fewestTrials = 8;
/** Trials of a block, about one run of a recording. */
const blockTrials = 15;

/**
 * Training data without anything that was learned from the caller's own recordings. If the trials are likely copies of
 * recordings of people of the prior, the classifier without the group of these people replaces it; if they are of
 * several groups, there is no prior. Only networks that have not seen these people are read; see `networksWithout`.
 * Removes `known`, which nothing reads afterwards.
 */
export function withoutRecognised(data: TrainingData): { data: TrainingData; warnings: string[] } {
  const { reference, ...rest } = data;
  if (!reference?.known) return { data, warnings: [] };
  const { known, ...prior } = reference;
  const found = peopleIn(data, known);
  if (found.length === 0) return { data: { ...rest, reference: prior }, warnings: [] };
  const names = `${found
    .slice(0, 5)
    .map((p) => known.names[p])
    .join(', ')}${found.length > 5 ? ', …' : ''}`;
  const networks = unseenNetworks(
    data,
    found.map((p) => known.names[p]),
    names,
  );
  const groups = new Set(found.map((p) => known.group[p]));
  const warning = (treatment: string): string =>
    [warningSentence('recognised', { names }), treatment, ...networks.sentences].join(' ');
  if (groups.size > 1)
    return {
      data: { ...rest, ...networks.fields, referenceLost: reasonSentence('recognised', { names }) },
      warnings: [warning(warningSentence('recognised_left_out', {}))],
    };
  const [group] = groups;
  const left = known.group.filter((own) => own === group).length;
  const people = Math.max(1, prior.people - left);
  return {
    data: { ...rest, ...networks.fields, reference: { ...prior, ...known.without[group], people } },
    warnings: [warning(warningSentence('recognised_learned_again', { people }))],
  };
}

/** Fields of training data for the networks that have not seen these people, and sentences about them. */
interface UnseenNetworks {
  readonly fields: Pick<TrainingData, 'networks' | 'networksLost'>;
  readonly sentences: readonly string[];
}

/** Both are empty if the trials were not read for the network, or if no network has seen these people. */
function unseenNetworks({ features }: TrainingData, people: readonly string[], names: string): UnseenNetworks {
  const all = movementCard.networks;
  const networks = networksWithout(people);
  if (!hasBank(features) || networks.length === all) return { fields: {}, sentences: [] };
  if (networks.length > 0)
    return {
      fields: { networks },
      sentences: [warningSentence('recognised_networks', { left: networks.length, all })],
    };
  return {
    fields: { networksLost: reasonSentence('recognised_networks', { all, names }) },
    sentences: [warningSentence('recognised_no_network', { all })],
  };
}

/**
 * Places of the people whose recordings are among the trials. Each recording of the caller is compared by itself, and so
 * is each block of trials in the order sent: several people may be sent as one recording, or one run as many sessions.
 */
function peopleIn(data: TrainingData, known: ReferencePeople): number[] {
  const workspace = createWorkspace();
  const each = rowsOfEach(data.recordings ?? data.sessions) ?? [range(data.labels.length)];
  const blocks = blocksOf(data.labels.length);
  const isOneBlock = each.length === 1 && blocks.length === 1;
  const parts = [
    ...each.toSorted((a, b) => b.length - a.length).slice(0, most.recordings),
    ...(isOneBlock ? [] : spreadOut(blocks, most.blocks)),
  ]
    .map((rows) => rowsWithoutArtefacts(data, rows, workspace))
    .filter(({ length }) => length >= fewestTrials);
  const vectorsOf = readerOf(data, workspace);
  if (!vectorsOf || parts.length === 0) return [];
  const likenessOf = likenessTo(known);
  const found = parts.flatMap((rows) => {
    const { values, dimension } = vectorsOf(Int32Array.from(spreadOut([...rows], most.trials)));
    return recognised(likenessOf(sketchesOf(values, dimension)));
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Rows of blocks of about `blockTrials` trials, in the order sent. */
function blocksOf(trials: number): readonly Int32Array[] {
  const count = Math.max(1, Math.round(trials / blockTrials));
  const start = (block: number): number => Math.round((block * trials) / count);
  return Array.from({ length: count }, (_, b) =>
    Int32Array.from({ length: start(b + 1) - start(b) }, (_each, i) => start(b) + i),
  );
}

/** At most `count` of the values, spread over them. */
function spreadOut<T>(values: readonly T[], count: number): readonly T[] {
  const some = Math.min(values.length, count);
  return Array.from({ length: some }, (_, i) => values[Math.floor((i * values.length) / some)]);
}

/** Vectors [trials × dimension]. */
interface Vectors {
  readonly values: Float64Array;
  readonly dimension: number;
}

/** Reads trials of one recording as those of the people of the prior; null: the features lack its set or electrodes. */
function readerOf(data: TrainingData, workspace: Workspace): ((rows: Int32Array) => Vectors) | null {
  const { set, electrodes } = data.reference!;
  const at = electrodes.map((name) => data.features.shape.channelNames.indexOf(name));
  if (!(set in data.features.sets) || at.includes(-1)) return null;
  if (set.startsWith('erp')) return (rows) => meansOf(data.features, set, at, rows);
  const features = someChannels(data.features, set, at, workspace);
  return (rows) => {
    const centre = centreOf({ ...data, features }, set, rows, { workspace, centring: 'riemannian' })!;
    const packed = takeRows(features.sets[set], packedSize(at.length), rows);
    const { data: values, columns } = tangentVectors(unpackUpper(packed, at.length), squareOf(centre, at.length));
    return { values, dimension: columns };
  };
}

/** Mean amplitudes of the windows of some channels. */
function meansOf({ sets, trials, shape }: Features, set: string, at: readonly number[], rows: Int32Array): Vectors {
  const width = sets[set].length / trials;
  const windows = width / shape.channels;
  const dimension = at.length * windows;
  const values = new Float64Array(rows.length * dimension);
  rows.forEach((row, i) =>
    at.forEach((channel, c) => {
      const from = row * width + channel * windows;
      values.set(sets[set].subarray(from, from + windows), i * dimension + c * windows);
    }),
  );
  return { values, dimension };
}
