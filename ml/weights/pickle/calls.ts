import type { Machine } from './machine.ts';
import { asKind, type Value } from './values.ts';

/** Calls are kept as data. The one known class is the ordered dictionary, because its entries come afterwards. */
export function callOf(machine: Machine, called: Value, of: Value): Value {
  const by = asKind(called, 'named')?.name ?? 'an object';
  if (by !== 'collections.OrderedDict') return { kind: 'made', by, of, built: false };
  const given = asKind(of, 'tuple')?.items ?? [];
  if (given.length === 0) return { kind: 'dictionary', entries: [] };
  const listed = asKind(given[0], 'list', 'tuple')?.items;
  machine.copies(listed?.length ?? 0);
  const pairs = listed?.map((pair) => asKind(pair, 'list', 'tuple')?.items ?? []);
  if (!pairs || given.length > 1 || pairs.some(({ length }) => length !== 2))
    throw machine.fault('its pickle makes an ordered dictionary of what are no pairs');
  return { kind: 'dictionary', entries: pairs.flat() };
}

/** Handles the state of an object. A dictionary ignores it, because the state is not its content. */
export function build(machine: Machine): void {
  machine.pop();
  const into = machine.top();
  const made = asKind(into, 'made');
  if (made) made.built = true;
  else if (!asKind(into, 'dictionary')) throw machine.fault('its pickle puts state into what has none');
}

/** Adds values to the list or dictionary on top of the stack. An object of an unknown class ignores them. */
export function fill(machine: Machine, kind: 'list' | 'dictionary', values: readonly Value[]): void {
  const into = machine.top();
  if (asKind(into, 'made', 'unread')) return;
  if (kind === 'dictionary' && values.length % 2) throw machine.fault('its pickle has a key without a value');
  const content = kind === 'list' ? asKind(into, 'list')?.items : asKind(into, 'dictionary')?.entries;
  if (!content) throw machine.fault(`its pickle fills what is no ${kind}`);
  for (const value of values) content.push(value);
}
