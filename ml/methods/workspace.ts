import type { Steps } from '../steps.ts';

/**
 * Cache of values that the folds of one data set have in common: means, tangent vectors, Gram matrices. Values are
 * keyed by the objects from which they were made (the row list of a fold, a reference matrix, a feature table), and go
 * when those go. The workspace is an explicit argument: nothing is kept between two data sets.
 */
export interface Workspace {
  /** The value `name` of `sources` (by identity). `make` runs the first time, and again after an eviction. */
  once<T>(sources: readonly object[], name: string, make: () => T): T;
  /** The cached value, or undefined. */
  known(sources: readonly object[], name: string): unknown;
}

/** `Workspace.once` in steps. Two callers may compute it at the same time; the first result is kept. */
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
/** Default limit of each scoring thread: more than the values of usual fits. */
const usualBytes = 384 * mebibyte;
/** Smaller values are never evicted. */
const smallBytes = mebibyte / 4;
/** Depth to which nested objects are searched for number arrays. */
const depth = 3;

const node = (): Node => ({ values: new Map(), next: new WeakMap() });

/** Bytes of the number arrays in a value; shared memory does not count. */
function bytesIn(value: unknown, levels = depth): number {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? 0 : value.byteLength;
  if (value === null || typeof value !== 'object' || levels === 0) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + bytesIn(each, levels - 1), 0);
}

/** A workspace that caches at most this many bytes of large values (least recently used first out). */
export function createWorkspace(mostBytes: number = usualBytes): Workspace {
  const root = node();
  /** Large values, the most recently used last. */
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
