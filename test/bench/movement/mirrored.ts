import { shippedWeights } from '../../../infra/encoders/shipped-weights.ts';
import {
  mirroredSite,
  movementCard,
  networksWithout,
  provideMovementWeights,
} from '../../../ml/encoders/movement/index.ts';
import { balancedAccuracy, decisions } from '../../../ml/evidence/scores.ts';
import { extractFeatures } from '../../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../../ml/methods/index.ts';
import { trainingData } from '../../../ml/train/index.ts';
import type { Features } from '../../../ml/types.ts';
import { folderOf, someTrials } from '../reference-fits/people.ts';
import { mean, publish } from '../tables.ts';
import { isTrainingPerson } from './arms.ts';
import { readHandPeople } from './hand-people.ts';
import type { HandPerson } from './hand-people.ts';

const methods = [
  'tangent-logistic',
  'tangent-tuned',
  'tangent-ridge',
  'filter-bank-tangent',
  'augmented-tangent-tuned',
  'log-power-logistic',
  'csp-lda',
  'csp-tuned-lda',
  'filter-bank-csp',
  'fgmdm',
  'mdm',
  'movement-tangent',
] as const;
/** Electrodes, by name. */
const montages: readonly (readonly [string, (name: string) => boolean])[] = [
  ['64', () => true],
  ['21', (name) => /^(?:FC|C|CP)(?:\d|z)/.test(name)],
  ['8', (name) => 'FC3 FC4 C5 C3 C4 C6 CP3 CP4'.split(' ').includes(name)],
];
/** Runs that are learned from, by the number of their trials; the last run of imagery is scored. */
const learned: readonly (readonly [number, readonly string[]])[] = [
  [15, ['04']],
  [30, ['04', '08']],
  [60, ['03', '04', '07', '08']],
];
const scored = '12';
const network = { head: 'left_right_imagined', positive: 1 } as const;
const encoders = { movement: { hash: movementCard.sha256 } };

interface Row {
  readonly montage: string;
  readonly count: number;
  readonly method: string;
  readonly without: number;
  readonly with: number;
}

/**
 * What mirrored copies of the training trials bring to each method for left or right: the electrodes of both sides are
 * exchanged, and the labels too. The held-out run has no copies. Measured: linear methods gain, but less than the network
 * gives, and `movement-tangent`, which contains it, gains nothing. So no candidate learns from mirrored copies.
 */
export async function mirrored(): Promise<void> {
  provideMovementWeights(shippedWeights);
  const rows: Row[] = [];
  let people = 0;
  for await (const person of readHandPeople(folderOf())) {
    if (!isTrainingPerson(person.id)) continue;
    people += 1;
    for (const [montage, holds] of montages)
      rows.push(...rowsOf(person, person.trials.channelNames.filter(holds)).map((row) => ({ montage, ...row })));
    publish('mirrored.md', report(rows, people), { quiet: true });
  }
  console.log(report(rows, people));
}

function rowsOf(person: HandPerson, names: readonly string[]): Omit<Row, 'montage'>[] {
  const all = [...person.runs.keys()];
  const sets = [...new Set(methods.flatMap((id) => methodOf(id).featureSets({ encoders })))];
  const features = extractFeatures(someTrials(person, all, names), sets);
  const copies = extractFeatures(
    { ...someTrials(person, all, names.map(mirroredSite)), channelNames: [...names] },
    sets,
  );
  const swapped = person.labels.map((label) => (label === 'left' ? 'right' : 'left'));
  const options = { kind: 'motor', network, networks: networksWithout([person.id]) } as const;
  const plain = trainingData(features, person.labels, null, options);
  const doubled = trainingData(joined(features, copies), [...person.labels, ...swapped], null, options);
  const held = rowsIn(person, [scored]);
  const wanted = held.map((row) => plain.labels[row]!);
  return learned
    .filter(([, runs]) => runs.every((run) => person.runs.includes(run)))
    .flatMap(([count, runs]) => {
      const train = rowsIn(person, runs);
      const both = Int32Array.from([...train, ...train.map((row) => row + features.trials)]);
      const workspaces = [createWorkspace(), createWorkspace()] as const;
      return methods.map((id) => {
        const method = methodOf(id);
        const score = (data: typeof plain, used: Int32Array, workspace: (typeof workspaces)[number]): number => {
          const head = method.fit({ data, rows: used, workspace });
          return balancedAccuracy(decisions(method.decide(head, data.features, held, workspace), 2), wanted, 2);
        };
        return {
          count,
          method: id,
          without: score(plain, train, workspaces[0]),
          with: score(doubled, both, workspaces[1]),
        };
      });
    });
}

const rowsIn = ({ runs }: HandPerson, wanted: readonly string[]): Int32Array =>
  Int32Array.from([...runs.keys()].filter((row) => wanted.includes(runs[row]!)));

const joined = (one: Features, other: Features): Features => ({
  ...one,
  trials: one.trials + other.trials,
  sets: Object.fromEntries(
    Object.entries(one.sets).map(([id, values]) => {
      const all = new Float64Array(2 * values.length);
      all.set(values);
      all.set(other.sets[id]!, values.length);
      return [id, all];
    }),
  ),
});

function gainOf(rows: readonly Row[]): string {
  const gains = rows.map((row) => row.with - row.without);
  const middle = mean(gains);
  const square = gains.reduce((sum, gain) => sum + (gain - middle) ** 2, 0);
  const error = Math.sqrt(square / (gains.length - 1) / gains.length);
  return `${mean(rows.map((row) => row.without)).toFixed(3)} ${middle < 0 ? '−' : '+'}${Math.abs(middle).toFixed(3)} ± ${error.toFixed(3)}`;
}

function report(rows: readonly Row[], people: number): string {
  const columns = montages.flatMap(([montage]) => learned.map(([count]) => ({ montage, count })));
  return [
    '# Mirrored training trials',
    '',
    `Left or right fist imagined, ${people} people, last run held out. Balanced accuracy, and what is gained if each`,
    'training trial has a copy with the sides of the head and the labels exchanged (mean over people ± standard error).',
    '15 and 30 trials of imagery; 60 with those of movement, of the people who have them. `movement-tangent` contains the',
    'network, each person scored by the networks that have not seen them. A trial and its copy may lie on both sides of a',
    'split in which a method tunes itself.',
    '',
    `| method | ${columns.map(({ montage, count }) => `${montage} electrodes, ${count}`).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...methods.map((method) => {
      const cells = columns.map((column) =>
        gainOf(
          rows.filter((row) => row.method === method && row.montage === column.montage && row.count === column.count),
        ),
      );
      return `| ${method} | ${cells.join(' | ')} |`;
    }),
    '',
  ].join('\n');
}
