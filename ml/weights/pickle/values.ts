/**
 * The content of a pickle as data. Nothing in it is ever called: where a pickle requests the call of a function or a
 * class, the call itself is kept as `Made`.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Tuple
  | List
  | Dictionary
  | Named
  | Made
  | Stored
  | Unread;

export interface Tuple {
  readonly kind: 'tuple';
  readonly items: Value[];
}

export interface List {
  readonly kind: 'list';
  readonly items: Value[];
}

export interface Dictionary {
  readonly kind: 'dictionary';
  /** Key, value, key, value … */
  readonly entries: Value[];
}

/** A class or a function, by module and name. */
export interface Named {
  readonly kind: 'named';
  readonly name: string;
}

/** Call of a class or function with arguments, kept as data. */
export interface Made {
  readonly kind: 'made';
  readonly by: string;
  readonly of: Value;
  /** Whether a state was set on it afterwards. */
  built: boolean;
}

/** A reference to data outside the pickle, by id. */
export interface Stored {
  readonly kind: 'stored';
  readonly id: Value;
}

/** Values that cannot be part of a tensor: bytes, sets, very long texts and numbers. */
export interface Unread {
  readonly kind: 'unread';
}

type Kind = Exclude<Value, null | boolean | number | bigint | string>['kind'];

/** The value if it is of one of these kinds, else undefined. */
export function asKind<K extends Kind>(value: Value, ...kinds: K[]): Extract<Value, { readonly kind: K }> | undefined {
  const known = typeof value === 'object' && value !== null && kinds.some((kind) => kind === value.kind);
  return known ? (value as Extract<Value, { readonly kind: K }>) : undefined;
}

const known = new WeakMap<Dictionary, ReadonlyMap<string, Value>>();

/**
 * Entries by key as text; of equal keys the last. Skips keys that are neither texts nor integers. Caches the result, so
 * that a dictionary that is contained in many others is visited once.
 */
export function entriesOf(dictionary: Dictionary): ReadonlyMap<string, Value> {
  const before = known.get(dictionary);
  if (before) return before;
  const { entries } = dictionary;
  const all = new Map<string, Value>();
  for (let at = 0; at < entries.length; at += 2) {
    const key = entries[at];
    if (typeof key === 'string' || (typeof key === 'number' && Number.isSafeInteger(key)))
      all.set(String(key), entries[at + 1]);
  }
  known.set(dictionary, all);
  return all;
}
