import { shippedWeights } from '../../../infra/encoders/shipped-weights.ts';
import { movementCard, provideMovementWeights } from '../../../ml/encoders/movement/index.ts';
import { publish } from '../tables.ts';
import { electrodes, folderOf, readPeople, setName } from '../reference-fits/people.ts';
import { armsOf, isTrainingPerson, singles, zeroShotOf } from './arms.ts';
import type { MovementArms } from './arms.ts';

/** Sets of electrodes, by name. */
export const montages: readonly (readonly [string, readonly string[]])[] = [
  ['64', electrodes],
  ['53', electrodes.filter((name) => !/^(?:Fp|AF|T9|T10|Iz)/.test(name))],
  ['21', electrodes.filter((name) => /^(?:FC|C|CP)(?:\d|z)/.test(name))],
  ['19', 'Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2'.split(' ')],
  ['8', movementCard.scores.find(({ montage }) => montage === 'central8')!.electrodes],
  ['3', ['C3', 'Cz', 'C4']],
];
const counts = [15, 30];

export interface MovementBench {
  /** Only the montage of this name, written beside the rest. */
  readonly filter?: string;
  readonly people?: number;
  /** Whether whole creates are made; otherwise single methods only. */
  readonly creates: boolean;
}

interface Row extends MovementArms {
  readonly montage: string;
  readonly count: number;
}

interface ZeroShot extends ReturnType<typeof zeroShotOf> {
  readonly montage: string;
}

/**
 * What the movement network brings to people with 15 and 30 own trials, and without any. Every person is scored by the
 * network that has not seen them; the last run is held out; `align: "none"` with own trials.
 */
export async function movement({ filter, people: most = 60, creates }: MovementBench): Promise<void> {
  provideMovementWeights(shippedWeights);
  const people = (await readPeople(folderOf(), most + 1, null)).filter(({ id }) => isTrainingPerson(id));
  console.log(`${people.length} people of ${setName}`);
  const file = `${['movement', ...(creates ? ['creates'] : []), ...(filter ? [filter] : [])].join('-')}.md`;
  const rows: Row[] = [];
  const zeroShot: ZeroShot[] = [];
  for (const [montage, names] of montages) {
    if (filter && montage !== filter) continue;
    for (const person of people) {
      zeroShot.push({ montage, ...zeroShotOf(person, names) });
      for (const count of counts) rows.push({ montage, count, ...armsOf(person, count, names, creates) });
    }
    console.log(`${montage} electrodes: ${Math.round(process.cpuUsage().user / 1e6)} s`);
    publish(file, report(rows, zeroShot, { people: people.length, creates }), { quiet: true });
  }
  console.log(report(rows, zeroShot, { people: people.length, creates }));
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const errorOf = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1) / values.length);
};
const shown = (values: readonly number[]): string => mean(values).toFixed(3);
const gain = (values: readonly number[]): string => `${mean(values).toFixed(3)} ± ${errorOf(values).toFixed(3)}`;

function report(
  rows: readonly Row[],
  zeroShot: readonly ZeroShot[],
  { people, creates }: { readonly people: number; readonly creates: boolean },
): string {
  const wholeHead = creates ? 'create without | create with | gain | ' : '';
  const whole = (own: readonly Row[]): string =>
    creates
      ? `${shown(own.map((row) => row.without))} | ${shown(own.map((row) => row.with))} | ` +
        `${gain(own.map((row) => row.with - row.without))} | `
      : '';
  const lines = [...Map.groupBy(rows, ({ montage, count }) => `${montage} | ${count}`)].map(
    ([key, own]) =>
      `| ${key} | ${whole(own)}${singles.map((id) => shown(own.map(({ each }) => each[id]!))).join(' | ')} |`,
  );
  const ownless = [...Map.groupBy(zeroShot, ({ montage }) => montage)].map(
    ([montage, own]) =>
      `| ${montage} | ${gain(own.map(({ batch }) => batch))} | ${shown(own.map(({ last }) => last))} | ` +
      `${shown(own.map(({ alone }) => alone))} |`,
  );
  return [
    '# Movement network',
    '',
    `Left or right fist imagined, ${people} people, each scored by the network that has not seen them. Balanced`,
    'accuracy, mean over people; with own trials: the last run, `align: "none"`.',
    '',
    `| electrodes | own trials | ${wholeHead}${singles.join(' | ')} |`,
    `|---|---|${creates ? '---|---|---|' : ''}${singles.map(() => '---|').join('')}`,
    ...lines,
    '',
    '| electrodes | no own trials, batch, all runs | batch, last run | each trial alone |',
    '|---|---|---|---|',
    ...ownless,
    '',
  ].join('\n');
}
