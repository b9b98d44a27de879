import { mean, table } from '../tables.ts';
import { candidates, own } from './arms.ts';
import type { Arms, wholeChoice } from './arms.ts';
import { setName } from './people.ts';

/** What one person reached with so many own trials. */
export interface Row extends Arms {
  readonly person: string;
  readonly montage: string;
  readonly count: number;
}

/** What the whole choice of the service reached. */
export interface Whole extends ReturnType<typeof wholeChoice> {
  readonly montage: string;
  readonly count: number;
}

/** Scores of each person by the mean that all are recentred on. */
export interface Centres {
  readonly montage: string;
  readonly riemannian: readonly number[];
  readonly euclidean: readonly number[];
}

export interface Measured {
  readonly people: number;
  readonly groups: number;
  readonly rows: readonly Row[];
  readonly wholes: readonly Whole[];
  readonly centres: readonly Centres[];
}

/** Standard error of a mean. */
function error(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)) / Math.max(1, values.length - 1));
}

/** Rows by electrodes and number of own trials, in order. */
function cellsOf<T extends { readonly montage: string; readonly count: number }>(rows: readonly T[]) {
  const keys = [...new Set(rows.map(({ montage, count }) => `${montage} ${count}`))];
  return keys
    .map((key) => ({ key: key.split(' '), some: rows.filter((row) => `${row.montage} ${row.count}` === key) }))
    .sort((a, b) => Number(b.key[0]) - Number(a.key[0]) || Number(a.key[1]) - Number(b.key[1]));
}

/** Means of columns over the rows of each cell, with electrodes, own trials and people before them. */
function cellTable<T extends { readonly montage: string; readonly count: number }>(
  rows: readonly T[],
  columns: Readonly<Record<string, (some: readonly T[]) => number>>,
): string {
  return table(
    ['electrodes', 'own trials', 'people', ...Object.keys(columns)],
    cellsOf(rows).map(({ key, some }) => [
      ...key,
      String(some.length),
      ...Object.values(columns).map((of) => of(some)),
    ]),
  );
}

const over =
  <T>(of: (row: T) => number) =>
  (some: readonly T[]): number =>
    mean(some.map(of));

const spread =
  <T>(of: (row: T) => number) =>
  (some: readonly T[]): number =>
    error(some.map(of));

export const report = ({ people, groups, rows, wholes, centres }: Measured): string =>
  [
    '# Recordings of other people',
    '',
    `Left or right fist imagined, ${people} people of ${setName}: balanced accuracy on the last run (12), each trial alone unless`,
    `said otherwise. People are left out in ${groups} groups: what others teach is learned without the person. Own trials are the`,
    `first of runs 04 and 08. "own": ${own}, one method fixed beforehand; "both": what is chosen, by the own trials`,
    `alone, among ${candidates.join(', ')} and their pool. "both − own" is thus what others`,
    'bring together with what choosing and pooling bring; that of the whole service, which chooses on both sides, stands',
    'in a table of its own where it was measured. Errors are standard errors over people.',
    'The rows of one set of electrodes are the curve of "both − own" over the number of own trials.',
    '',
    cellTable<Row>(rows, {
      'others only, batch': over((row) => row.others),
      [`own: ${own}`]: over((row) => row.own),
      'both: chosen': over((row) => row.both),
      'both − own': over((row) => row.both - row.own),
      'its error': spread((row) => row.both - row.own),
      [`own: ${own}, batch`]: over((row) => row.ownBatch),
      'both: chosen, batch': over((row) => row.bothBatch),
    }),
    '',
    '## Each candidate by itself',
    '',
    cellTable<Row>(rows, {
      ...Object.fromEntries(candidates.map((id) => [id, over((row: Row) => row.each[id]!)])),
      'others only, each trial alone': over((row) => row.othersAlone),
      'chosen from others': over((row) => (row.chosen.includes('reference') ? 1 : 0)),
    }),
    ...(wholes.length
      ? [
          '',
          '## The whole service',
          '',
          'What a create chooses among all its candidates and their pool, without recordings of others and with them, for',
          'the first of the people. The difference is of others alone: both sides choose.',
          '',
          cellTable<Whole>(wholes, {
            'chosen without others': over((each) => each.own.score),
            'chosen with others': over((each) => each.both.score),
            'with − without': over((each) => each.both.score - each.own.score),
            'its error': spread((each) => each.both.score - each.own.score),
          }),
        ]
      : []),
    ...(centres.length ? ['', '## The mean that each person is recentred on', '', ...centresTable(centres)] : []),
  ].join('\n');

const centresTable = (centres: readonly Centres[]): string[] => [
  'Others only, all three runs of a person as one batch, ten groups of people left out. Above 32 electrodes the',
  'Riemannian mean is the log-Euclidean one, from which it starts.',
  '',
  table(
    ['electrodes', 'people', 'Riemannian', 'Euclidean', 'difference', 'its error'],
    centres.map(({ montage, riemannian, euclidean }) => {
      const differences = riemannian.map((score, i) => score - euclidean[i]!);
      const people = String(riemannian.length);
      return [montage, people, mean(riemannian), mean(euclidean), mean(differences), error(differences)];
    }),
  ),
];
