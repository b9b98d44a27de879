import type { Steps } from '../steps.ts';

/**
 * Memory of what one data set's folds have in common: means, tangent vectors, Gram matrices.
 * Values hang on the objects they were made from (the row list of a fold, a reference matrix, a feature table),
 * so they go when those go. Passed explicitly: nothing is kept between two data sets.
 */
export interface Workspace {
  /** Value called `name` made from `sources` (by identity); `make` runs the first time only. */
  once<T>(sources: readonly object[], name: string, make: () => T): T;
  /** The same value where it exists already. */
  known(sources: readonly object[], name: string): unknown;
}

/** As `Workspace.once`, made in steps: whoever comes while it is being made may make it too, and the first one stays. */
export function* onceInSteps<T>(
  workspace: Workspace,
  sources: readonly object[],
  name: string,
  make: () => Steps<T>,
): Steps<T> {
  const known = workspace.known(sources, name);
  if (known !== undefined) return known as T;
  const made = yield* make();
  return workspace.once(sources, name, () => made);
}

interface Node {
  readonly values: Map<string, unknown>;
  readonly next: WeakMap<object, Node>;
}

const node = (): Node => ({ values: new Map(), next: new WeakMap() });

export function createWorkspace(): Workspace {
  const root = node();
  return {
    once<T>(sources: readonly object[], name: string, make: () => T): T {
      let at = root;
      for (const source of sources) {
        let next = at.next.get(source);
        if (!next) at.next.set(source, (next = node()));
        at = next;
      }
      if (!at.values.has(name)) at.values.set(name, make());
      return at.values.get(name) as T;
    },
    known(sources: readonly object[], name: string): unknown {
      let at: Node | undefined = root;
      for (const source of sources) at = at?.next.get(source);
      return at?.values.get(name);
    },
  };
}
