import { quoted, WeightsFault } from './fault.ts';
import { asKind, entriesOf, type Dictionary, type Made, type Tuple, type Value } from './pickle/values.ts';
import type { Wanted } from './types.ts';

const mostEntries = 2 ** 20;
const deepest = 32;
const longestName = 1024;

/** Functions of torch whose first argument is the tensor. */
const wrappers = new Set(['torch._utils._rebuild_parameter', 'torch._utils._rebuild_parameter_with_state']);
/** Functions of torch that take a storage, an offset, dimensions and strides. */
const rebuilders = new Set(['torch._utils._rebuild_tensor_v2', 'torch._utils._rebuild_tensor']);

/** Arguments of the call that would make a tensor. */
export type TensorCall = readonly Value[];

/** Calls for all wanted tensors by name, in the order of the dictionaries. */
export function findTensors(top: Value, { under, only = () => true }: Wanted): [string, TensorCall][] {
  const found: [string, TensorCall][] = [];
  let entries = 0;
  const walk = (dictionary: Dictionary, before: string, depth: number): void => {
    if (depth > deepest) throw new WeightsFault(`its dictionaries are nested deeper than ${deepest}`);
    for (const [key, value] of entriesOf(dictionary)) {
      if (++entries > mostEntries) throw new WeightsFault(`its dictionaries have more than ${mostEntries} entries`);
      const name = before + key;
      if (name.length > longestName) throw new WeightsFault(`it has the name ${quoted(name)}, which is too long`);
      const inner = asKind(value, 'dictionary');
      if (inner) walk(inner, `${name}.`, depth + 1);
      else if (holdsStorage(value) && only(name)) found.push([name, tensorCall(value, name)]);
    }
  };
  walk(dictionaryUnder(top, under), '', 1);
  return found;
}

/** The dictionary at a path. Its keys may contain dots. */
function dictionaryUnder(top: Value, under: string | undefined): Dictionary {
  const found = under === undefined ? top : valueUnder(top, under);
  const where = under === undefined ? 'it' : `its ${quoted(under)}`;
  if (found === undefined) throw new WeightsFault(`it has no ${quoted(under!)}; ${keysOf(top)}`);
  const dictionary = asKind(found, 'dictionary');
  if (dictionary) return dictionary;
  const made = asKind(found, 'made');
  throw new WeightsFault(`${where} is no dictionary of tensors${made ? ` but made by ${quoted(made.by)}` : ''}`);
}

function valueUnder(value: Value, path: string): Value | undefined {
  const dictionary = asKind(value, 'dictionary');
  if (!dictionary) return undefined;
  const entries = entriesOf(dictionary);
  if (entries.has(path)) return entries.get(path);
  const dots = [...path.matchAll(/\./g)].map(({ index }) => index);
  return dots
    .filter((dot) => entries.has(path.slice(0, dot)))
    .map((dot) => valueUnder(entries.get(path.slice(0, dot))!, path.slice(dot + 1)))
    .find((found) => found !== undefined);
}

function keysOf(top: Value): string {
  const dictionary = asKind(top, 'dictionary');
  if (!dictionary) return 'it is no dictionary';
  const keys = [...entriesOf(dictionary).keys()];
  return `its keys are ${keys.slice(0, 10).map(quoted).join(', ') || 'none'}${keys.length > 10 ? ', …' : ''}`;
}

/** Whether an item of a tuple satisfies `isIt`. Each tuple is searched once, however many calls take it. */
function anyItem(isIt: (item: Value) => boolean): (value: Value) => boolean {
  const known = new WeakMap<Tuple, boolean>();
  return (value) => {
    const tuple = asKind(value, 'tuple');
    if (!tuple) return false;
    const found = known.get(tuple) ?? tuple.items.some(isIt);
    known.set(tuple, found);
    return found;
  };
}

const storedIn = anyItem((item) => asKind(item, 'stored') !== undefined);
const isStorageOrMadeOfIt = (item: Value): boolean =>
  asKind(item, 'stored') !== undefined || storedIn(asKind(item, 'made')?.of ?? null);
const storageIn = anyItem(isStorageOrMadeOfIt);
const storageWithin = anyItem((item) => isStorageOrMadeOfIt(item) || storageIn(item));

/** Whether an unknown object was made from a storage. To skip it would then lose numbers. */
function holdsStorage(value: Value): value is Made {
  const made = asKind(value, 'made');
  return made !== undefined && (rebuilders.has(made.by) || wrappers.has(made.by) || storageWithin(made.of));
}

function tensorCall(made: Made, name: string): TensorCall {
  const wrapped = wrappers.has(made.by) ? asKind(asKind(made.of, 'tuple')?.items[0] ?? null, 'made') : made;
  if (made.built || !wrapped || wrapped.built || !rebuilders.has(wrapped.by))
    throw new WeightsFault(`its ${quoted(name)} is made by ${quoted((wrapped ?? made).by)} in a way that is not read`);
  return asKind(wrapped.of, 'tuple')?.items ?? [];
}
