import { sites19 } from '../../../ml/channels/index.ts';
import { readImagery } from '../../support/edf.ts';
import { toTrials } from '../../support/recordings.ts';
import { imageryTrials } from '../datasets.ts';
import { median, publish, table } from '../tables.ts';
import { createOf, type Created, type Labelled } from './create.ts';
import { randomSource, type EncoderSource } from './sources.ts';

/** Creates of each kind, in turns; the first turn is not timed. */
const turns = 3;

const central = ['FC3', 'FC4', 'C3', 'Cz', 'C4', 'CP3', 'CPz', 'CP4'];
/** Whose imagery every method tells apart. */
const plainPerson = 'S007';

/**
 * Left/right imagery: of several people one after the other, which is hard to tell apart, and of one, which is not.
 * None is larger than a request may be.
 */
const sets: Readonly<Record<string, () => Pick<Labelled, 'trials' | 'labels'>>> = {
  '100 × 19 channels × 4 s, 3 people': () => imageryTrials(100, 4, sites19),
  '300 × 8 channels × 1 s, 2 people': () => imageryTrials(300, 1, central),
  '60 × 64 channels × 4 s, 3 people': () => imageryTrials(60, 4),
  '45 × 64 channels × 4 s, 1 person': ownImagery,
};

function ownImagery(): Pick<Labelled, 'trials' | 'labels'> {
  const recording = readImagery(plainPerson);
  return { trials: toTrials(recording), labels: recording.labels };
}

/** Ways to create: without encoders, with LaBraM and its cost rule, with LaBraM whatever it takes. */
const arms: Readonly<
  Record<'none' | 'rule' | 'always', { readonly source: EncoderSource | null; readonly share?: number }>
> = {
  none: { source: null },
  rule: { source: labramOf(randomSource) },
  always: { source: labramOf(randomSource), share: Infinity },
};

function labramOf({ availability, ...rest }: EncoderSource): EncoderSource {
  return { ...rest, availability: { 'labram-base': availability['labram-base']! } };
}

/** What LaBraM with random weights, which can only be dropped, takes of a create, with the cost rule and without. */
export async function encodersCost(): Promise<void> {
  const rows: string[][] = [];
  for (const [title, read] of Object.entries(sets)) {
    rows.push([title, ...(await measured({ ...read(), sessions: null, options: { kind: 'motor' } }))]);
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
  const whole = (arm: keyof typeof arms): number => median(runs[arm].map(({ took }) => took.whole.cpu));
  const encoders = (arm: keyof typeof arms): number => median(runs[arm].map(({ took }) => took.encoders.cpu));
  const [last] = runs.rule;
  const { dropped = [], lost } = last!.data.encoded!['labram-base']!;
  const early = last!.scores.filter(({ method, status }) => method.startsWith('labram') && status === 'dropped').length;
  const after = early > 0 ? `after it (${early} of 2)` : 'no';
  const what = dropped.length > 0 ? 'before the first fold' : (lost ?? after);
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
    'Creates on left/right imagery of the real sets in one thread, without the report; LaBraM-base with random weights, which',
    'know nothing of the trials. Seconds of the processor, median of two turns after one that is not counted. "Dropped":',
    'before all trials were read, or after its first fold. An encoder is dropped where it cannot catch up, and where the best',
    'method is near chance itself nothing proves that: then the trials it was tried on are read twice.',
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
