import { electrodes, folderOf, readPeople, someTrials } from '../reference-fits/people.ts';
import type { BenchPerson } from '../reference-fits/people.ts';
import { isTrainingPerson } from '../movement/arms.ts';
import { splits } from '../tasks.ts';
import { toTrials } from '../../support/recordings.ts';
import { movementCard, networksWithout } from '../../../ml/encoders/movement/index.ts';
import type { TrainOptions } from '../../../ml/train/index.ts';
import type { Trials } from '../../../ml/types.ts';

/** Some trials to fit on and later ones to test on. */
export interface Fold {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** Trials of one person and montage, and folds for each number of own trials. */
export interface PriorCase {
  readonly person: string;
  readonly trials: Trials;
  readonly labels: readonly string[];
  readonly options: TrainOptions;
  readonly folds: readonly { readonly trials: number; readonly folds: readonly Fold[] }[];
}

const montages: readonly (readonly string[])[] = [
  electrodes,
  electrodes.filter((name) => /^(?:FC|C|CP)(?:\d|z)/.test(name)),
  'FC3 FC4 C5 C3 C4 C6 CP3 CP4'.split(' '),
];
/** Numbers of own trials of the sets at hand; EEGMMIDB has runs of 15. */
const counts = [15, 30, 60, 120, 240];
const leftRight: TrainOptions = {
  kind: 'motor',
  network: { head: 'left_right_imagined', positive: 1 },
  encoders: { movement: { hash: movementCard.sha256 } },
};

/** People of EEGMMIDB: each run in turn is tested, after a fit on the run before it or on both others. */
export async function* motorCases(people: number): AsyncGenerator<PriorCase> {
  for (const person of await readPeople(folderOf(), people + 1, null)) {
    if (!isTrainingPerson(person.id)) continue;
    const folds = runFolds(person);
    for (const names of montages)
      yield {
        person: person.id,
        trials: someTrials(person, [...person.runs.keys()], names),
        labels: person.labels,
        options: { ...leftRight, networks: networksWithout([person.id]) },
        folds,
      };
  }
}

function runFolds({ runs }: BenchPerson): PriorCase['folds'] {
  const rows = [...new Set(runs)].map((run) => [...runs.keys()].filter((row) => runs[row] === run));
  return [
    { trials: 15, folds: rows.map((train, r) => ({ train, test: rows[(r + 1) % rows.length]! })) },
    { trials: 30, folds: rows.map((test) => ({ train: rows.flatMap((own) => (own === test ? [] : own)), test })) },
  ];
}

/** The other sets at hand: fitted on the first trials of each class, tested on the last session. */
export function* otherCases(): Generator<PriorCase> {
  for (const { name, recording, train, test, options } of splits()) {
    if (/^eegmmidb_(?:edf|mi)/.test(name)) continue;
    const rows = [...train, ...test];
    const { labels } = recording;
    const held = test.map((_, i) => train.length + i);
    const own = counts.filter((count) => 1.25 * count < train.length);
    yield {
      person: name,
      trials: toTrials(recording, rows),
      labels: rows.map((row) => labels[row]!),
      options,
      folds: [...own, train.length].flatMap((count) => {
        const some = spreadOver(
          train.map((row) => labels[row]!),
          count,
        );
        return some ? [{ trials: count, folds: [{ train: some, test: held }] }] : [];
      }),
    };
  }
}

/** The first trials of each class in proportion to the classes; null if a class has fewer than three. */
function spreadOver(labels: readonly string[], count: number): number[] | null {
  const byClass = [...Map.groupBy(labels.keys(), (row) => labels[row]!).values()];
  const some = byClass.map((own) => own.slice(0, Math.round((count * own.length) / labels.length)));
  return some.every((own) => own.length > 2) ? some.flat().sort((a, b) => a - b) : null;
}
