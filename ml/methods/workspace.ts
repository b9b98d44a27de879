import type { Steps } from '../steps.ts';

/**
 * Cache of what one data set's folds have in common: means, tangent vectors, Gram matrices.
 * Values hang on the objects they were made from (the row list of a fold, a reference matrix, a feature table),
 * so they go when those go. Passed explicitly: nothing is kept between two data sets.
 */
export interface Workspace {
  /**
   * Value called `name` made from `sources` (by identity). `make` runs the first time, and again where the value had
   * to make room for others.
   */
  once<T>(sources: readonly object[], name: string, make: () => T): T;
  /** The same value where it exists already. */
  known(sources: readonly object[], name: string): unknown;
}

/** As `Workspace.once`, but made in steps. Two callers may make it at the same time; the first result is kept. */
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

interface Kept {
  readonly value: unknown;
  readonly bytes: number;
  readonly drop: () => void;
}

interface Node {
  readonly values: Map<string, Kept>;
  readonly next: WeakMap<object, Node>;
}

const mebibyte = 1024 * 1024;
/** Of each thread that scores candidates: more than the values of usual fits take. */
const usualBytes = 384 * mebibyte;
/** Smaller values are kept however many there are. */
const smallBytes = mebibyte / 4;
/** Objects within objects that are looked through for arrays of numbers. */
const depth = 3;

const node = (): Node => ({ values: new Map(), next: new WeakMap() });

/** Bytes of the arrays of numbers in a value; one of shared memory belongs to others. */
function bytesIn(value: unknown, levels = depth): number {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? 0 : value.byteLength;
  if (value === null || typeof value !== 'object' || levels === 0) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesIn(each, levels - 1), 0);
}

/** A workspace that keeps at most so many bytes of large values: those used last. */
export function createWorkspace(mostBytes: number = usualBytes): Workspace {
  const root = node();
  /** Large values, the one used last at the end. */
  const large = new Set<Kept>();
  let bytes = 0;

  const use = (kept: Kept): void => {
    if (!large.delete(kept)) bytes += kept.bytes;
    large.add(kept);
    for (const oldest of large) {
      if (bytes <= mostBytes) return;
      large.delete(oldest);
      bytes -= oldest.bytes;
      oldest.drop();
    }
  };
  return {
    once<T>(sources: readonly object[], name: string, make: () => T): T {
      let at = root;
      for (const source of sources) {
        let next = at.next.get(source);
        if (!next) at.next.set(source, (next = node()));
        at = next;
      }
      const { values } = at;
      let kept = values.get(name);
      if (!kept) {
        const value = make();
        kept = { value, bytes: bytesIn(value), drop: () => values.delete(name) };
        values.set(name, kept);
      }
      if (kept.bytes > smallBytes) use(kept);
      return kept.value as T;
    },
    known(sources: readonly object[], name: string): unknown {
      let at: Node | undefined = root;
      for (const source of sources) at = at?.next.get(source);
      return at?.values.get(name)?.value;
    },
  };
}
