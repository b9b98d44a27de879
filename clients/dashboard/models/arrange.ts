import { baselineOf } from '../../../infra/contract/verdict.ts';
import type { TaskModelRowAnswer } from './response-types.ts';

export type Order = 'newest' | 'name' | 'score';

const nameOf = ({ name, description }: TaskModelRowAnswer): string => name ?? description;

/** The score to expect; models without one come last. */
const scoreOf = ({ training_report: report }: TaskModelRowAnswer): number => (report ? baselineOf(report).score : -1);

const orders: Readonly<Record<Order, (a: TaskModelRowAnswer, b: TaskModelRowAnswer) => number>> = {
  newest: (a, b) => b.created - a.created,
  name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
  score: (a, b) => scoreOf(b) - scoreOf(a),
};

/** Models whose name, task or a class contains every word of the search, in the given order. */
export function arranged(
  models: readonly TaskModelRowAnswer[],
  { search, order }: { readonly search: string; readonly order: Order },
): TaskModelRowAnswer[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ name, description, classes, id }: TaskModelRowAnswer): string =>
    [name ?? '', description, ...classes, id].join(' ').toLowerCase();
  return models.filter((model) => words.every((word) => textOf(model).includes(word))).sort(orders[order]);
}
