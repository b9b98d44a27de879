import { pairedError, trialWeights, weighted } from '../../../ml/evidence/trial-weights.ts';
import type { TrialWeights } from '../../../ml/evidence/trial-weights.ts';
import type { MeasuredCell } from '../../../ml/select/priors/measured.ts';
import { mean, median } from '../tables.ts';
import type { Reached } from './measure.ts';

/** Fewest people of a cell: fewer say nothing about the spread over people. */
const fewestPeople = 5;

/**
 * Methods that read what follows the cue at a fixed time. In recordings of movement whose cues appear at one side of the
 * screen they read the cue, too, which other laboratories do not have. So they keep their published figures there.
 */
const isLockedToCue = (id: string): boolean => /^(?:xdawn|windowed-means|slow-potentials)/.test(id);

/** The results by kind of task, number of trials and number of channels; cells of too few people are left out. */
export function cellsOf(reached: readonly Reached[]): MeasuredCell[] {
  const groups = Map.groupBy(reached, ({ kind, flicker, trials, channels }) =>
    JSON.stringify([kind, flicker, trials, channels]),
  );
  return [...groups.values()].flatMap((rows) => cellOf(rows) ?? []);
}

function cellOf(rows: readonly Reached[]): MeasuredCell | null {
  const people = [...Map.groupBy(rows, ({ person }) => person).values()];
  if (people.length < fewestPeople) return null;
  const [{ kind, flicker, trials, channels }] = rows as readonly [Reached];
  const ids = [...new Set(rows.map(({ method }) => method))].filter(
    (id) => !(kind === 'motor' && isLockedToCue(id)) && people.every((own) => own.some(({ method }) => method === id)),
  );
  const tables = people.map((own) => lossesOf(ids.map((id) => own.find(({ method }) => method === id)!)));
  const means = ids.map((_, m) => mean(tables.map(({ losses, weights }) => weighted(losses[m]!, weights))));
  const least = Math.min(...means);
  const pairs = ids.flatMap((_, a) => ids.slice(a + 1).map((__, b) => [a, a + 1 + b] as const));
  const spreads = pairs.map(([a, b]) => spreadOf(tables, a, b));
  const methods = ids.map((id, m): [string, MeasuredCell['methods'][string]] => [
    id,
    {
      behind: round(means[m]! - least),
      balancedAccuracy: round(mean(rows.filter(({ method }) => method === id).map((row) => row.balancedAccuracy))),
    },
  ]);
  methods.sort(([, a], [, b]) => a.behind - b.behind);
  return {
    kind: kind as MeasuredCell['kind'],
    flicker,
    trials,
    channels,
    people: people.length,
    spread: round(median(spreads) / Math.SQRT2),
    methods: Object.fromEntries(methods),
  };
}

/** Losses of each method on the tested trials of one person, and the weights of the trials. */
interface LossesOfPerson {
  readonly losses: readonly Float64Array[];
  readonly weights: TrialWeights;
}

function lossesOf(own: readonly Reached[]): LossesOfPerson {
  const labels = Int32Array.from(own[0]!.labels);
  return {
    losses: own.map(({ losses }) => Float64Array.from(losses)),
    weights: trialWeights(labels, Math.max(...labels) + 1, null),
  };
}

/**
 * Standard deviation over people of the difference between two methods, without the part that the number of tested
 * trials explains.
 */
function spreadOf(people: readonly LossesOfPerson[], a: number, b: number): number {
  const gaps = people.map(({ losses, weights }) => weighted(losses[a]!, weights) - weighted(losses[b]!, weights));
  const middle = mean(gaps);
  const total = gaps.reduce((sum, gap) => sum + (gap - middle) ** 2, 0) / (people.length - 1);
  const sampling = mean(people.map(({ losses, weights }) => pairedError(losses[a]!, losses[b]!, weights) ** 2));
  return Math.sqrt(Math.max(0, total - sampling));
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
