import { pairedError, trialWeights, weighted } from '../../../ml/evidence/trial-weights.ts';
import type { MeasuredCell } from '../../../ml/select/priors/measured.ts';
import { mean, median } from '../tables.ts';
import type { Reached } from './measure.ts';

/** Fewest people of a cell: fewer say nothing about the spread over people. */
const fewestPeople = 5;

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
  const ids = [...new Set(rows.map(({ method }) => method))].filter((id) =>
    people.every((own) => own.some(({ method }) => method === id)),
  );
  const gaps = people.map((own) => gapsOf(ids.map((id) => own.find(({ method }) => method === id)!)));
  const means = ids.map((_, m) => mean(gaps.map((own) => own[m]!.gap)));
  const least = Math.min(...means);
  const spreads = ids.map((_, m) => {
    const total = gaps.reduce((sum, own) => sum + (own[m]!.gap - means[m]!) ** 2, 0) / (people.length - 1);
    return Math.sqrt(Math.max(0, total - mean(gaps.map((own) => own[m]!.error ** 2))));
  });
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
    spread: round(median(spreads)),
    methods: Object.fromEntries(methods),
  };
}

/** Log-loss of each method above the mean of all methods, for one person, and its standard error from the trials. */
function gapsOf(own: readonly Reached[]): { readonly gap: number; readonly error: number }[] {
  const labels = Int32Array.from(own[0]!.labels);
  const weights = trialWeights(labels, Math.max(...labels) + 1, null);
  const tables = own.map(({ losses }) => Float64Array.from(losses));
  const middle = tables[0]!.map((_, i) => mean(tables.map((table) => table[i]!)));
  return tables.map((table) => ({
    gap: weighted(table, weights) - weighted(middle, weights),
    error: pairedError(table, middle, weights),
  }));
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
