import { mean, median, table } from '../tables.ts';
import { paired, shown } from './paired.ts';
import type { ChoiceResult, SplitResult } from './split.ts';

const titles = { published: 'published weights', random: 'random weights, LaBraM too' } as const;
type With = keyof typeof titles;

/** What encoders among the candidates do to the service's own choice. */
export function choiceSection(results: readonly SplitResult[]): string {
  const summary = (which: With): string[] => {
    const pairs = results.map(({ choices, person }) => ({ person, without: choices.none, own: choices[which] }));
    const count = (of: (pair: (typeof pairs)[number]) => boolean): string => String(pairs.filter(of).length);
    const difference = (measure: 'balancedAccuracy' | 'logLoss'): string =>
      shown(paired(pairs.map(({ person, without, own }) => ({ person, difference: own[measure] - without[measure] }))));
    const timed = pairs.filter(({ own }) => own.encoderSeconds > 0.001);
    return [
      titles[which],
      String(pairs.length),
      count(({ own }) => own.encoderSeconds > 0.001),
      count(({ own, without }) => own.leading !== without.leading),
      count(({ own }) => own.encoderShare > 0),
      mean(pairs.map(({ own }) => own.encoderShare)).toFixed(3),
      mean(pairs.map(({ without }) => without.balancedAccuracy)).toFixed(3),
      mean(pairs.map(({ own }) => own.balancedAccuracy)).toFixed(3),
      difference('balancedAccuracy'),
      difference('logLoss'),
      median(timed.map(({ without, own }) => own.seconds / without.seconds)).toFixed(2),
    ];
  };
  return [
    '## Encoders as candidates: the whole choice with and without them',
    '',
    'Features, encoders with their cost rule, every candidate, choice and refit, in one thread, without the report. With',
    'published weights: those that are here, each for the kinds of task that it is for (`MODELS_ENABLED` names them all).',
    '',
    table(
      [
        'encoders',
        'splits',
        'where one is tried',
        'best method is another',
        'an encoder has weight',
        'its mean weight',
        'accuracy without',
        'with',
        'difference',
        'log-loss, difference',
        'seconds with / without, median where tried',
      ],
      [summary('published'), summary('random')],
    ),
    '',
    table(
      [
        'split',
        'best method without',
        'accuracy',
        'log-loss',
        'seconds',
        'published: best method',
        'weight of encoders',
        'accuracy',
        'log-loss',
        'seconds',
        'random: weight of encoders',
        'accuracy',
        'log-loss',
        'seconds',
      ],
      results.map(({ name, choices: { none, published, random } }) => [
        name,
        none.leading,
        none.balancedAccuracy,
        none.logLoss,
        none.seconds.toFixed(1),
        published.leading === none.leading ? 'the same' : published.leading,
        ...choiceCells(published),
        ...choiceCells(random),
      ]),
    ),
  ].join('\n');
}

const choiceCells = (choice: ChoiceResult): (string | number)[] => [
  choice.encoderShare,
  choice.balancedAccuracy,
  choice.logLoss,
  choice.seconds.toFixed(1),
];
