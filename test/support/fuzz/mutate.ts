import type { Random } from '../../../ml/random.ts';
import { hostileValue, pick, whole } from './values.ts';

type Holder = Record<PropertyKey, unknown>;

/** A random place in a tree: who holds it, and under which key. */
function place(root: unknown, random: Random): readonly [Holder, PropertyKey] | null {
  let found: readonly [Holder, PropertyKey] | null = null;
  let at = root;
  for (let depth = 0; depth < 6; depth += 1) {
    if (typeof at !== 'object' || at === null) break;
    const keys = Object.keys(at);
    if (keys.length === 0) break;
    found = [at as Holder, pick(random, keys)];
    if (random() < (depth === 0 ? 0.4 : 0.3)) break;
    at = (at as Holder)[found[1]];
  }
  return found;
}

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'length',
  'model',
  'mode',
  'fs',
  'sfreq',
  'X',
  'label',
  'Units',
  'x ',
  '',
  'a'.repeat(5_000),
  '\u0000',
  '🧠',
  'sesions',
] as const;

const edits: readonly ((holder: Holder, key: PropertyKey, random: Random) => void)[] = [
  (holder, key, random) => void (holder[key] = hostileValue(random)),
  (holder, key, random) => void (holder[key] = hostileValue(random)),
  (holder, key) => void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
  (holder, key, random) => {
    const value = holder[key];
    if (Array.isArray(value))
      for (let left = 1 + whole(random, 3); left > 0; left -= 1) value.push(...value.slice(0, 2_000));
    else if (typeof value === 'string') holder[key] = value.repeat(2 + whole(random, 5_000 / (value.length + 1)));
    else holder[key] = [value];
  },
  (holder, key) => void (holder[key] = String(holder[key]).slice(0, 10_000)),
  (holder, key) => void (holder[key] = { 0: holder[key] }),
  (holder, key) => void (Array.isArray(holder[key]) && (holder[key] as unknown[]).reverse()),
  (holder, key, random) => {
    if (Array.isArray(holder)) holder.push(holder[Number(key)]);
    else
      Object.defineProperty(holder, pick(random, names), {
        value: holder[key],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  },
  (holder, key, random) => {
    if (typeof holder[key] === 'number')
      holder[key] = (holder[key] as number) * pick(random, [-1, 0, 1e-9, 0.5, 2, 1e3, 1e9, 1e40]);
    else holder[key] = hostileValue(random);
  },
  (holder, _, random) => {
    if (Array.isArray(holder)) return;
    const extra = 1 + whole(random, random() < 0.1 ? 1_500 : 20);
    for (let at = 0; at < extra; at += 1) holder[`${pick(random, names).slice(0, 60)}${at}`] = at;
  },
];

/** Changes a JSON tree in place at random places. */
export function mutate(root: unknown, random: Random, times: number): void {
  for (let left = times; left > 0; left -= 1) {
    const found = place(root, random);
    if (found) pick(random, edits)(found[0], found[1], random);
  }
}

const fragments = [
  '"',
  '\\',
  '\\"',
  '\\u',
  '\\ud83d',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  '[[[',
  ']]]',
  'null',
  'NaN',
  '-Infinity',
  '1e999',
  '\u0000',
  '\ufeff',
  '//',
  '0'.repeat(400),
  '"__proto__":{"x":1},',
  '\\"'.repeat(2_000),
  '['.repeat(3_000),
  '{"a":'.repeat(3_000),
  ' '.repeat(5_000),
  '\n',
  '9'.repeat(5_000),
  '"x":1,'.repeat(500),
] as const;

/** Changes bytes: flips, cuts, copies, foreign fragments, broken UTF-8. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let now = Buffer.from(bytes);
  for (let left = 1 + whole(random, 3); left > 0; left -= 1) {
    const at = whole(random, now.length + 1);
    const to = Math.min(now.length, at + whole(random, random() < 0.5 ? 8 : 4_000));
    const kind = random();
    if (kind < 0.25 && at < now.length) now[at] ^= 1 << whole(random, 8);
    else if (kind < 0.45)
      now = Buffer.concat([now.subarray(0, at), Buffer.from(pick(random, fragments)), now.subarray(at)]);
    else if (kind < 0.6) now = Buffer.concat([now.subarray(0, at), now.subarray(to)]);
    else if (kind < 0.75) now = Buffer.concat([now.subarray(0, to), now.subarray(at, to), now.subarray(to)]);
    else if (kind < 0.85) now = now.subarray(0, at);
    else if (kind < 0.95) now = Buffer.concat([now.subarray(0, at), Buffer.from([0xff, 0xc0, 0x80]), now.subarray(at)]);
    else now = Buffer.concat([now, now.subarray(0, 100_000)]);
  }
  return now;
}
