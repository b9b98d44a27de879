import { mean, table } from '../tables.ts';
import type { HeadResult } from './heads.ts';
import { direction, paired, shown, type Paired } from './paired.ts';
import type { Score } from './score.ts';
import type { SplitResult } from './split.ts';

type Weights = keyof SplitResult['heads'];
type Measure = keyof Score;

const weightsTitle: Readonly<Record<Weights, string>> = { published: 'published', random: 'random' };

/** Of a split: the score that a row of the tables speaks of; null where there is none. */
type ScoreIn = (result: SplitResult) => Score | null;

const head =
  (weights: Weights, id: string): ScoreIn =>
  ({ heads }) =>
    heads[weights].find((each) => each.head === id)?.test ?? null;

/** Scores of heads by group, and their differences to the classical choice on the same trials. */
export function headsSection(results: readonly SplitResult[], absent: Readonly<Record<string, string>>): string {
  const groups = [...new Set(results.map(({ group }) => group))];
  const tried = new Map<string, HeadResult>(
    results.flatMap(({ heads }) => heads.random.map((each) => [each.head, each])),
  );
  const ids = [...tried.keys()];
  const reasonOf = (weights: Weights, id: string): string | undefined =>
    weights === 'published' ? absent[tried.get(id)!.encoder] : undefined;
  const cells = (of: ScoreIn): string[] =>
    [...groups, null].map((group) => {
      const own = results.filter((result) => group === null || result.group === group).map(of);
      const scores = own.filter((score) => score !== null);
      if (scores.length === 0) return 'cannot read';
      const means = (['balancedAccuracy', 'logLoss'] as const).map((measure) =>
        mean(scores.map((score) => score[measure])).toFixed(3),
      );
      return means.join(' / ') + (scores.length < own.length ? ` (${scores.length} of ${own.length})` : '');
    });
  const rows = (['published', 'random'] as const).flatMap((weights) =>
    ids.map((id) => {
      const reason = reasonOf(weights, id);
      const own = reason === undefined ? cells(head(weights, id)) : [...groups, null].map(() => reason);
      return [id, weightsTitle[weights], ...own];
    }),
  );
  const compared = (['published', 'random'] as const).flatMap((weights) =>
    ids.flatMap((id) => (reasonOf(weights, id) === undefined ? [{ weights, id }] : [])),
  );
  const against = (of: ScoreIn, than: ScoreIn, measure: Measure): Paired =>
    paired(
      results.flatMap((result) => {
        const [own, other] = [of(result), than(result)];
        return own && other ? [{ person: result.person, difference: own[measure] - other[measure] }] : [];
      }),
    );
  const choice: ScoreIn = ({ choices }) => choices.none;
  const differences = compared.map(({ weights, id }) => {
    const of = head(weights, id);
    const than = head('random', id);
    return {
      id,
      weights,
      splits: results.filter((result) => of(result)).length,
      accuracy: against(of, choice, 'balancedAccuracy'),
      logLoss: against(of, choice, 'logLoss'),
      hindsight: against(of, ({ hindsight }) => hindsight, 'balancedAccuracy'),
      trained: weights === 'published' ? against(of, than, 'balancedAccuracy') : null,
    };
  });
  return [
    '## Heads beside classical methods',
    '',
    'Balanced accuracy / log-loss in nats, means over the splits that can be read.',
    '',
    table(
      ['method', 'weights', ...groups.map((group) => `${group} (${countOf(results, group)})`), 'all'],
      [
        ['classical: choice', '', ...cells(choice)],
        ['classical: best in hindsight', '', ...cells(({ hindsight }) => hindsight)],
        ...rows,
      ],
    ),
    '',
    'Each head minus another on the same trials: mean over persons ± its standard error. The splits of a person hold the',
    'same trials, so persons are counted, not splits.',
    '',
    table(
      [
        'head',
        'weights',
        'splits',
        'persons',
        'accuracy, minus choice',
        'log-loss, minus choice',
        'accuracy, minus best in hindsight',
        'accuracy, minus random weights',
      ],
      differences.map(({ id, weights, splits, accuracy, logLoss, hindsight, trained }) => [
        id,
        weightsTitle[weights],
        String(splits),
        String(accuracy.persons),
        shown(accuracy),
        shown(logLoss),
        shown(hindsight),
        trained ? shown(trained) : '',
      ]),
    ),
    '',
    ...differences.filter(({ weights }) => weights === 'published').map(sentence),
    ...Object.entries(absent).map(
      ([id, reason]) =>
        `- ${id}: ${reason} on the machine of this run, so nothing is known here of its published weights; its rows are of ` +
        'random ones. The same command tries them where they are.',
    ),
  ].join('\n');
}

const countOf = (results: readonly SplitResult[], group: string): number =>
  results.filter((result) => result.group === group).length;

const wordOf = { [-1]: 'is worse than', 0: 'cannot be told from', 1: 'is better than' } as Readonly<
  Record<number, string>
>;

/** What a row says, by two standard errors. */
function sentence({
  id,
  accuracy,
  trained,
}: {
  readonly id: string;
  readonly accuracy: Paired;
  readonly trained: Paired | null;
}): string {
  const beside = `${wordOf[direction(accuracy)]!} the classical choice (${shown(accuracy)})`;
  return `- ${id} ${beside}, and ${wordOf[direction(trained!)]!} the same network untrained (${shown(trained!)}).`;
}
