import { sites19 } from '../../../ml/channels/index.ts';
import { imageryTrials } from '../datasets.ts';
import { median, publish, table } from '../tables.ts';
import { createOf, type Created, type Labelled } from './create.ts';
import { randomSource, type EncoderSource } from './sources.ts';

/** Creates of each kind, in turns; the first turn is not timed. */
const turns = 3;

/** Trials of the real sets, and which channels of them are read. */
const sets: readonly {
  readonly title: string;
  readonly count: number;
  readonly seconds: number;
  readonly channels?: readonly string[];
}[] = [
  { title: '100 × 19 channels × 4 s', count: 100, seconds: 4, channels: sites19 },
  {
    title: '300 × 8 channels × 1 s',
    count: 300,
    seconds: 1,
    channels: ['FC3', 'FC4', 'C3', 'Cz', 'C4', 'CP3', 'CPz', 'CP4'],
  },
  { title: '100 × 64 channels × 4 s', count: 100, seconds: 4 },
  { title: '400 × 64 channels × 2 s', count: 400, seconds: 2 },
];

/** Ways to create: without encoders, with LaBraM and its cost rule, with LaBraM whatever it takes. */
const arms: Readonly<
  Record<'none' | 'rule' | 'always', { readonly source: EncoderSource | null; readonly share?: number }>
> = {
  none: { source: null },
  rule: { source: labramOf(randomSource) },
  always: { source: labramOf(randomSource), share: Infinity },
};

function labramOf({ standings, ...rest }: EncoderSource): EncoderSource {
  return { ...rest, standings: { 'labram-base': standings['labram-base']! } };
}

/** What LaBraM with random weights, which can only be dropped, takes of a create, with the cost rule and without. */
export async function encodersCost(): Promise<void> {
  const rows: string[][] = [];
  for (const { title, count, seconds, channels } of sets) {
    const { trials, labels } = imageryTrials(count, seconds, channels);
    const labelled = { trials, labels, sessions: null, options: { kind: 'motor' } } satisfies Labelled;
    rows.push([title, ...(await measured(labelled))]);
    publish('encoders-cost.md', text(rows), { quiet: true });
  }
  publish('encoders-cost.md', text(rows));
}

async function measured(labelled: Labelled): Promise<string[]> {
  const runs: Record<keyof typeof arms, Created[]> = { none: [], rule: [], always: [] };
  for (let turn = 0; turn < turns; turn += 1)
    for (const arm of Object.keys(arms) as (keyof typeof arms)[]) {
      const { source, share } = arms[arm];
      const created = await createOf(labelled, source, share);
      if (turn > 0) runs[arm].push(created);
    }
  const whole = (arm: keyof typeof arms): number => median(runs[arm].map(({ seconds }) => seconds.whole));
  const encoders = (arm: keyof typeof arms): number => median(runs[arm].map(({ seconds }) => seconds.encoders));
  const [last] = runs.rule;
  const { dropped = [], lost } = last!.data.encoded!['labram-base']!;
  const early = last!.scores.filter(({ method, status }) => method.startsWith('labram') && status === 'dropped').length;
  const what = lost ?? (dropped.length > 0 ? 'before the first fold' : early > 0 ? `after it (${early} of 2)` : 'no');
  return [
    whole('none').toFixed(1),
    whole('rule').toFixed(1),
    encoders('rule').toFixed(1),
    (encoders('rule') / whole('rule')).toFixed(2),
    what,
    whole('always').toFixed(1),
    encoders('always').toFixed(1),
  ];
}

const text = (rows: readonly string[][]): string =>
  [
    '# What a dear encoder costs',
    '',
    'Creates on left/right imagery of the real sets, trials of several people one after the other, in one thread and without',
    'the report; LaBraM-base with random weights, which a create should drop. Seconds, median of the timed turns.',
    '',
    table(
      [
        'trials',
        'without encoders',
        'with its cost rule',
        'of it LaBraM reads',
        'share',
        'dropped',
        'without the rule',
        'of it LaBraM reads',
      ],
      rows,
    ),
  ].join('\n');
