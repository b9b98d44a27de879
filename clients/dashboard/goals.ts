/** A place that the search opens. */
export interface Goal {
  readonly path: string;
  readonly words: string;
  /** What the goal is: a page, a model, a text. */
  readonly kind: string;
}

const mostShown = 12;

/** The goals that contain every word of the search, in their order. */
export function goalsFor(goals: readonly Goal[], search: string): readonly Goal[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return goals
    .filter(({ words, kind }) => wanted.every((each) => `${words} ${kind}`.toLowerCase().includes(each)))
    .slice(0, mostShown);
}
