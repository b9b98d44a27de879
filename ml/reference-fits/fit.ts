import type { LinearHead } from '../classify/linear.ts';
import { fitTemperature } from '../evidence/temperature.ts';
import { currentVersions } from '../features/index.ts';
import { methodOf } from '../methods/index.ts';
import { overAll } from '../methods/parts/reference-space.ts';
import { pinsOf } from '../pins/index.ts';
import { fewestPeople } from '../limits.ts';
import { currentResampler } from '../signal/index.ts';
import { currentAnswer } from '../train/answers.ts';
import { storedFormat } from '../train/formats.ts';
import type { ControlScore, FittedModel } from '../train/types.ts';
import { joinTables } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { eyesControl, eyesWarnings } from './eyes-control.ts';
import { knownPeople } from './known-people.ts';
import { leaveOut, scoresOf } from './leave-out.ts';
import type { LeftOut } from './leave-out.ts';
import { longestTrial } from './longest-trial.ts';
import { notesOf, warningsOf } from './notes.ts';
import { overPeople } from './over-people.ts';
import { fitPeople, strengthOf } from './people-folds.ts';
import { centreOfPeople, headOf, vectorsOfPerson } from './people-space.ts';
import type { PersonVectors } from './people-space.ts';
import { readShape, trialsOf } from './people-trials.ts';
import type { ReadShape } from './people-trials.ts';
import { lowestRateHz, readings, referenceRateHz } from './readings.ts';
import type { Unreadable } from './readings.ts';
import { referenceReport } from './report.ts';
import { isLearned, peopleWithoutArtefacts } from './without-artefacts.ts';
import type { PersonFeatures, ReferenceEvidence, ReferenceFit, ReferenceShape, ReferenceTaskShape } from './types.ts';
import { ReferenceUnfit } from './unfit.ts';
import { reasonSentence } from '../reason-sentences.ts';

/** Why trials of such a shape cannot be read from a task's recordings; null: they can. */
export function referenceUnreadable(
  electrodes: readonly string[],
  task: Pick<ReferenceTaskShape, 'kind'>,
  { channelNames, seconds, sourceRateHz }: ReferenceShape,
): Unreadable | null {
  const reading = readings[task.kind];
  const shared = channelNames.filter((name) => electrodes.includes(name)).length;
  const needed = reading.kind === 'moments' ? 2 : 1;
  if (shared < needed)
    return {
      by: 'channelNames',
      reason: reasonSentence('shared_channels', { needed, shared, supplied: channelNames.length }),
    };
  const lowest = lowestRateHz(reading);
  if (sourceRateHz < lowest)
    return {
      by: 'sourceRateHz',
      reason: reasonSentence('rate_at_least', { needed: lowest, band: reading.highHz, rate: sourceRateHz }),
    };
  const { shortestSeconds } = reading;
  if (!(seconds >= shortestSeconds))
    return { by: 'seconds', reason: reasonSentence('seconds_of_other_people', { needed: shortestSeconds, seconds }) };
  return null;
}

/** Share of a fit's time until every person's vectors are made; measured at 21 electrodes and 60 people. */
const readingPeople = 0.8;

/**
 * Learns from people to distinguish the classes of a task in trials of one shape, and measures it on people who were
 * left out, in trials of at most the length of `longestTrial`. Throws `ReferenceUnfit` if the shape cannot be read, or
 * if fewer than five people have trials of every class. `onProgress` receives fractions from 0 to 1. Yields after each
 * person, and after each group of people who are left out.
 */
export function* fitReferenceInSteps(
  people: readonly PersonFeatures[],
  task: ReferenceTaskShape,
  shape: ReferenceShape,
  onProgress: (fraction: number) => void = () => {},
): Steps<ReferenceFit> {
  const { read, vectors, dropped } = yield* peopleOf(people, task, shape, (done) => onProgress(readingPeople * done));
  const classes = task.classes.length;
  const left = yield* leaveOut(vectors, classes, read, (done) =>
    onProgress(readingPeople + (0.95 - readingPeople) * done),
  );
  const temperature = temperatureOf(vectors, left, classes, 'batch');
  const temperatureAlone = temperatureOf(vectors, left, classes, 'alone');
  const head = fitPeople(vectors, classes, read.reading.kind);
  const calibrated = (own: LinearHead): LinearHead => ({
    weights: own.weights.map((value) => value / temperature),
    bias: own.bias.map((value) => value / temperature),
  });
  const strength = strengthOf(
    vectors,
    left.map((own) => calibrated(own.head)),
    classes,
  );
  const control = yield* eyesControl(people, vectors, task, read);
  const tested: TestedPeople = { people: vectors, left, dropped, task, read };
  const evidence = evidenceOf(tested, control);
  const model = modelOf(tested, head, { temperature, temperatureAlone }, shape);
  return {
    model,
    pins: pinsOf(model),
    prior: {
      format: 1,
      set: read.reading.set,
      electrodes: read.read,
      classes: [...task.classes],
      ...calibrated(head),
      strength,
      people: vectors.filter(isLearned).length,
      known: knownPeople(
        vectors,
        left.map(({ head: own }) => calibrated(own)),
      ),
    },
    evidence,
    report: referenceReport({
      model,
      evidence,
      control,
      people: vectors,
      outOfFold: joinTables(left.map(({ batch }) => batch)),
      alone: joinTables(left.map(({ alone }) => alone)),
    }),
  };
}

/** `fitReferenceInSteps` without pauses. */
export const fitReference = (...input: Parameters<typeof fitReferenceInSteps>): ReferenceFit =>
  toEnd(fitReferenceInSteps(...input));

/** Temperature of the answers for training people when they are left out. */
function temperatureOf(
  people: readonly PersonVectors[],
  left: readonly LeftOut[],
  classes: number,
  align: 'batch' | 'alone',
): number {
  const some = [...people.keys()].filter((i) => isLearned(people[i]));
  const scores = joinTables(some.map((i) => left[i][align]));
  const labels = Int32Array.from(some.flatMap((i) => [...people[i].labels]));
  return fitTemperature(scores, labels, classes).temperature;
}

/** The people who have trials of every class, recentred. */
function* peopleOf(
  all: readonly PersonFeatures[],
  task: ReferenceTaskShape,
  shape: ReferenceShape,
  onProgress: (fraction: number) => void,
): Steps<{ read: ReadShape; vectors: PersonVectors[]; dropped: number }> {
  let read: ReadShape | null = null;
  let seen = 0;
  const vectors: PersonVectors[] = [];
  for (const person of all) {
    const { electrodes } = person;
    seen += 1;
    if (!read) {
      const unreadable = referenceUnreadable(electrodes, task, shape);
      if (unreadable) throw new ReferenceUnfit(`This shape of trials ${unreadable.reason}.`);
      read = readShape(electrodes, longestTrial(all, task), task, shape);
    }
    const trials = trialsOf(person, task, read);
    if (new Set(trials.labels).size === task.classes.length) vectors.push(vectorsOfPerson(trials, read));
    onProgress(seen / all.length);
    yield;
  }
  if (!read || vectors.length < fewestPeople)
    throw new ReferenceUnfit(
      `${vectors.length} of ${seen} people have trials of every class; ${fewestPeople} are needed.`,
    );
  return { read, vectors: peopleWithoutArtefacts(vectors), dropped: seen - vectors.length };
}

/** People with trials of every class, their log-scores while they were left out, and how many people were dropped. */
interface TestedPeople {
  readonly people: readonly PersonVectors[];
  readonly left: readonly LeftOut[];
  readonly dropped: number;
  readonly task: ReferenceTaskShape;
  readonly read: ReadShape;
}

function evidenceOf({ people, left, dropped, task, read }: TestedPeople, control: ControlScore): ReferenceEvidence {
  const classes = task.classes.length;
  const trials = people.reduce((sum, { labels }) => sum + labels.length, 0);
  const { kind } = read.reading;
  const over = overPeople(scoresOf(people, left, 'batch', classes), trials, kind);
  const alone = overPeople(scoresOf(people, left, 'alone', classes), trials, kind);
  return {
    people: people.length,
    trials,
    balancedAccuracy: over.mean,
    interval95: over.interval95,
    onePerson95: over.onePerson95,
    lowerBound: over.lowerBound,
    chance: 1 / classes,
    quartiles: over.quartiles,
    withoutAlignment: alone.mean,
    set: read.reading.set,
    read: read.read,
    notRead: read.notRead,
    seconds: read.seconds,
    notes: notesOf(read, {
      dropped,
      batch: Math.max(...people.map(({ labels }) => labels.length)),
      restless: people.reduce(
        (sum, { labels, learned }) => sum + (learned.length && labels.length - learned.length),
        0,
      ),
      apart: people.filter((person) => !isLearned(person)).map(({ person }) => person),
    }),
    warnings: [...warningsOf(read, alone, 1 / classes), ...eyesWarnings(control, over, 1 / classes, read)],
  };
}

function modelOf(
  { people, task, read }: TestedPeople,
  classifier: LinearHead,
  { temperature, temperatureAlone }: Required<Pick<FittedModel, 'temperature' | 'temperatureAlone'>>,
  { channelNames, sourceRateHz }: ReferenceShape,
): FittedModel {
  const { set, method: id } = read.reading;
  const channels = channelNames.length;
  const at = read.read.map((name) => channelNames.indexOf(name));
  const centre = centreOfPeople(people, read.read.length);
  const { version, title } = methodOf(id);
  return {
    format: storedFormat,
    answer: currentAnswer(),
    method: { id, version, title },
    classes: [...task.classes],
    shape: {
      channels,
      samples: read.samples,
      rateHz: referenceRateHz,
      sourceRateHz,
      channelNames: [...channelNames],
      resampler: currentResampler(),
      ...(read.notRead.length ? { silent: [...read.notRead] } : {}),
    },
    featureSets: [set],
    featureVersions: currentVersions([set]),
    head: headOf(read.reading.kind === 'means' ? overAll(classifier, at, channels) : classifier, centre, set, {
      at,
      channels,
    }),
    temperature,
    ...(centre && { temperatureAlone }),
    centres: centre ? { [set]: overChannels(centre, at, channels) } : {},
  };
}

/** A matrix of some channels among all: the identity, at the mean of its diagonal, at the others. */
function overChannels(matrix: Float64Array, at: readonly number[], channels: number): Float64Array {
  const q = at.length;
  const out = new Float64Array(channels * channels);
  let trace = 0;
  for (let i = 0; i < q; i += 1) trace += matrix[i * q + i] / q;
  for (let c = 0; c < channels; c += 1) out[c * channels + c] = trace;
  for (let i = 0; i < q; i += 1) for (let j = 0; j < q; j += 1) out[at[i] * channels + at[j]] = matrix[i * q + j];
  return out;
}
