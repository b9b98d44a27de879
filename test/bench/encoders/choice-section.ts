import { mean, median, table } from '../tables.ts';
import { paired, shown } from './paired.ts';
import type { ChoiceResult, SplitResult } from './split.ts';

const titles = { published: 'published weights', random: 'random weights, LaBraM too' } as const;
type With = keyof typeof titles;
/** An encoder that took less read nothing. */
const leastSeconds = 0.001;

/** What encoders among the candidates do to the service's own choice. */
export function choiceSection(results: readonly SplitResult[]): string {
  const compared = (Object.keys(titles) as With[]).map((which) => comparisonOf(results, which));
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
        'best method is an encoder',
        'an encoder has weight',
        'its mean weight',
        'accuracy without',
        'with',
        'difference',
        'log-loss, difference',
        'seconds with / without, median where tried',
      ],
      compared.map((each) => [
        each.title,
        String(results.length),
        String(each.tried),
        String(each.other),
        String(each.leads),
        String(each.weighs),
        each.weight,
        each.without,
        each.accuracyWith,
        each.accuracy,
        each.logLoss,
        each.slower.toFixed(2),
      ]),
    ),
    '',
    ...compared.map(
      ({ title, other, leads, weighs, accuracy, logLoss, slower }) =>
        `- With ${title} the best single method is another in ${other} of ${results.length} splits, an encoder in ` +
        `${leads}; encoders weigh in ${weighs}. On unseen trials accuracy changes by ${accuracy} and log-loss by ` +
        `${logLoss} (mean over persons ± standard error). A create takes ${slower.toFixed(2)} times as long.`,
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

/** What a create with encoders differs in from the one without, over all splits. */
function comparisonOf(results: readonly SplitResult[], which: With) {
  const pairs = results.map(({ choices, person, heads }) => ({
    person,
    heads: heads.random.map(({ head }) => head),
    without: choices.none,
    own: choices[which],
  }));
  const count = (of: (pair: (typeof pairs)[number]) => boolean): number => pairs.filter(of).length;
  const difference = (measure: 'balancedAccuracy' | 'logLoss'): string =>
    shown(paired(pairs.map(({ person, without, own }) => ({ person, difference: own[measure] - without[measure] }))));
  const tried = pairs.filter(({ own }) => own.encoderSeconds > leastSeconds);
  return {
    title: titles[which],
    tried: tried.length,
    other: count(({ own, without }) => own.leading !== without.leading),
    leads: count(({ own, heads }) => heads.includes(own.leading)),
    weighs: count(({ own }) => own.encoderShare > 0),
    weight: mean(pairs.map(({ own }) => own.encoderShare)),
    without: mean(pairs.map(({ without }) => without.balancedAccuracy)),
    accuracyWith: mean(pairs.map(({ own }) => own.balancedAccuracy)),
    accuracy: difference('balancedAccuracy'),
    logLoss: difference('logLoss'),
    slower: median(tried.map(({ without, own }) => own.seconds / without.seconds)),
  };
}

const choiceCells = (choice: ChoiceResult): (string | number)[] => [
  choice.encoderShare,
  choice.balancedAccuracy,
  choice.logLoss,
  choice.seconds.toFixed(1),
];
