import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { shippedWeights } from '../../../infra/encoders/shipped-weights.ts';
import { dataSetOf, filesOf } from '../../../infra/contract/reference-data/data-sets.ts';
import { readRun } from '../../../infra/recordings/reference-data/run.ts';
import { movementCard, movementPeople, provideMovementWeights } from '../../../ml/encoders/movement/index.ts';
import type { MovementPeople } from '../../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../../ml/features/index.ts';
import { peopleOfNetworks } from '../../../ml/reference-fits/network-people.ts';
import { bandpassSos, resample, sosfiltfilt } from '../../../ml/signal/index.ts';
import { trainingData } from '../../../ml/train/index.ts';
import type { Trials } from '../../../ml/types.ts';
import { findTrials } from '../../support/reference-trials.ts';
import { electrodes, folderOf } from '../reference-fits/people.ts';
import { publish, table } from '../tables.ts';
import { isTrainingPerson } from './arms.ts';
import { montages as scored } from './movement.ts';

const set = dataSetOf('eegmmidb');
const rateHz = 256;
const bank = `movement/${movementCard.sha256}/bank`;

const montages = [
  ...scored,
  ['14', movementCard.scores.find(({ montage }) => montage === 'headset14')!.electrodes],
] as const;

/** A recording of all electrodes [electrodes][samples] at a rate. */
interface Signal {
  readonly rows: readonly Float32Array[];
  readonly rateHz: number;
}

/** What a caller may have done to a recording before cutting it, and which seconds of each trial were sent. */
interface Treatment {
  readonly name: string;
  readonly change?: (signal: Signal) => Signal;
  readonly seconds?: readonly [number, number];
  /** `own`: the mean of the electrodes that are sent is subtracted. A name: that electrode, which is not sent. */
  readonly reference?: string;
}

const resampledTo =
  (to: number) =>
  ({ rows, rateHz: from }: Signal): Signal => ({
    rows: rows.map((row) => Float32Array.from(resample(row, 1, row.length, from, to).data)),
    rateHz: to,
  });

const filtered = ({ rows, rateHz: rate }: Signal): Signal => ({
  rows: rows.map((row) => Float32Array.from(sosfiltfilt(bandpassSos(8, 30, 4, rate), row, 1, row.length))),
  rateHz: rate,
});

const averaged = ({ rows, rateHz: rate }: Signal): Signal => {
  const mean = rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
  return { rows: rows.map((row) => row.map((value, i) => value - mean[i]!)), rateHz: rate };
};

const treatments: readonly Treatment[] = [
  { name: 'as recorded' },
  { name: '0.5 to 2.5 s', seconds: [0.5, 2.5] },
  { name: '1 to 4 s', seconds: [1, 4] },
  { name: 'at 100 Hz', change: resampledTo(100) },
  { name: 'at 128 Hz', change: resampledTo(128) },
  { name: 'at 250 Hz', change: resampledTo(250) },
  { name: '8 to 30 Hz', change: filtered },
  { name: 'average reference', change: averaged },
  { name: 'mean of those sent', reference: 'own' },
  { name: 'reference Cz', reference: 'Cz' },
];

/** How many of the parts of a kind were recognised as the right person, as another one, and as anybody without them. */
interface Count {
  parts: number;
  right: number;
  wrong: number;
  asOthers: number;
}

/**
 * Trials of one run of each person, altered as callers do: whether the shipped sketches find the person among all
 * training people, and whom they find if the person's sketch is removed. `people`: at most so many; `filter`: one
 * montage.
 */
export async function recognised({ filter, people: most = 60 }: { filter?: string; people?: number }): Promise<void> {
  provideMovementWeights(shippedWeights);
  const known = movementPeople();
  const counts = new Map<string, Count>();
  const files = filesOf(set, new Set(['03', '04', '06', '09', '11', '12'])).map((file) => ({
    ...file,
    at: join(folderOf(), set.folder, file.path),
  }));
  const at = files.filter((file) => existsSync(file.at));
  const ids = [...new Set(at.map(({ person }) => person))].slice(0, most);
  for (const [n, id] of ids.entries()) {
    const own = at.filter(({ person }) => person === id);
    const run = await readRun({ ...own[n % own.length]!, published: true }, set);
    const tasks = set.tasks.filter((task) => task.id !== 'eyes-open-closed' && !task.id.startsWith('movement-rest'));
    const rest = set.tasks.filter((task) => task.id.startsWith('movement-rest'));
    const onsets = {
      movement: tasks.flatMap((task) => findTrials(run, task, 4)).map(({ from }) => from / run.rateHz),
      rest: rest
        .flatMap((task) => findTrials(run, task, 4).filter(({ classId }) => classId.startsWith('rest')))
        .map(({ from }) => from / run.rateHz),
    };
    for (const treatment of treatments) {
      const signal = treatment.change?.({ rows: run.signal, rateHz: run.rateHz }) ?? {
        rows: run.signal,
        rateHz: run.rateHz,
      };
      for (const [montage, names] of montages) {
        if (filter && montage !== filter) continue;
        for (const [kind, starts] of Object.entries(onsets)) {
          if (starts.length < 10) continue;
          const trials = cut(signal, starts, names, treatment);
          if (!trials) continue;
          const key = `${montage}|${treatment.name}|${kind}`;
          const count = counts.get(key) ?? { parts: 0, right: 0, wrong: 0, asOthers: 0 };
          counts.set(key, count);
          addTo(count, trials, id, known);
        }
      }
    }
    if (n % 10 === 9) console.log(`${n + 1} of ${ids.length} people: ${Math.round(process.cpuUsage().user / 1e6)} s`);
  }
  publish(`recognised${filter ? `-${filter}` : ''}.md`, report(counts, ids.length));
}

function addTo(count: Count, trials: Trials, id: string, known: MovementPeople): void {
  const labels = Array.from({ length: trials.trials }, (_, i) => (i % 2 ? 'a' : 'b'));
  const data = trainingData(extractFeatures(trials, [bank]), labels, null, { kind: 'motor' });
  const found = peopleOfNetworks(data, known);
  const others = isTrainingPerson(id) ? peopleOfNetworks(data, withoutPerson(known, id)) : found;
  if (isTrainingPerson(id)) {
    count.parts += 1;
    if (found.includes(id)) count.right += 1;
    if (found.some((name) => name !== id)) count.wrong += 1;
  }
  if (others.length > 0) count.asOthers += 1;
}

function withoutPerson(people: MovementPeople, id: string): MovementPeople {
  const { names, sketches } = people;
  const without = (table: Float32Array): Float32Array => {
    const width = table.length / names.length;
    return table.filter((_, i) => names[Math.floor(i / width)] !== id);
  };
  return {
    ...people,
    names: names.filter((name) => name !== id),
    sketches: { steps: without(sketches.steps), scale: without(sketches.scale) },
  };
}

/** Trials of some electrodes as the service reads them; null: too few electrodes are left. */
function cut(
  { rows, rateHz: rate }: Signal,
  starts: readonly number[],
  names: readonly string[],
  { seconds: [from, to] = [0, 4], reference }: Treatment,
): Trials | null {
  const sent = names.filter((name) => name !== reference);
  if (sent.length < 2) return null;
  const length = Math.round((to - from) * rate);
  const size = sent.length * length;
  const all = new Float32Array(starts.length * size);
  starts.forEach((start, t) => {
    const at = Math.round((start + from) * rate);
    const piece = (name: string): Float32Array => rows[electrodes.indexOf(name)]!.subarray(at, at + length);
    const minus = referenceOf(reference, sent.map(piece), piece, length);
    sent.forEach((name, c) => all.set(piece(name).map((value, i) => value - minus[i]!), t * size + c * length));
  });
  const { data } = resample(all, starts.length * sent.length, length, rate, rateHz);
  return {
    data,
    trials: starts.length,
    channels: sent.length,
    samples: data.length / (starts.length * sent.length),
    rateHz,
    sourceRateHz: rate,
    channelNames: sent,
    resampler: 1,
  };
}

function referenceOf(
  reference: string | undefined,
  sent: readonly Float32Array[],
  piece: (name: string) => Float32Array,
  length: number,
): Float32Array {
  if (reference === undefined) return new Float32Array(length);
  if (reference !== 'own') return piece(reference);
  return sent[0]!.map((_, i) => sent.reduce((sum, row) => sum + row[i]!, 0) / sent.length);
}

const report = (counts: ReadonlyMap<string, Count>, people: number): string =>
  [
    '# Training people who are recognised by their sketches',
    '',
    `One run of each of ${people} people of ${set.name}, its 15 trials of movement or imagery or its 15 of rest, cut and`,
    'altered as callers do. `right`: the person is found among all training people. `wrong`: another one is found.',
    '`stranger`: anybody is found if the sketch of the person is removed. Per cent.',
    '',
    table(
      ['electrodes', 'treatment', 'trials', 'people', 'right', 'wrong', 'stranger'],
      [...counts].map(([key, { parts, right, wrong, asOthers }]) => [
        ...key.split('|'),
        String(parts),
        ...[right, wrong, asOthers].map((value) => ((100 * value) / parts).toFixed(1)),
      ]),
    ),
    '',
  ].join('\n');
