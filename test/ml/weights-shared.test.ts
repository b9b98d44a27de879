import { describe, expect, it } from 'vitest';
import { entriesOf, type Dictionary, type Tuple, type Value } from '../../ml/weights/pickle/values.ts';
import { findTensors } from '../../ml/weights/state-dict.ts';
import { readWeights } from '../../ml/weights/index.ts';
import { bytesOf, call, named, stream, tensor, text, whole } from './pickles.ts';

/** What a pickle holds in many places costs as much as in one: looks are counted, not seconds. */
let looks = 0;
const counted = (items: Value[]): Value[] =>
  new Proxy(items, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
const times = 200;
const long = 1_000;
const stored: Value = { kind: 'stored', id: null };
const under = (value: (at: number) => Value): Dictionary => ({
  kind: 'dictionary',
  entries: Array.from({ length: times }, (_, at) => [`k${at}`, value(at)] as Value[]).flat(),
});
const looksAt = (top: Value): number => {
  looks = 0;
  findTensors(top, {});
  return looks;
};

describe('values with many references are read once', () => {
  it.each<[string, Value[]]>([
    ['keys that are no texts', Array.from({ length: 2 * long }, () => null)],
    ['one key', Array.from({ length: long }, (): Value[] => ['k', 1]).flat()],
  ])('a dictionary of %s', (_, entries) => {
    const shared: Dictionary = { kind: 'dictionary', entries: counted(entries) };
    expect(looksAt(under(() => shared))).toBeLessThanOrEqual(2 * long);
    expect(looksAt(under(() => shared))).toBe(0);
  });

  it('the arguments of calls, their arguments, and the calls behind those', () => {
    const empty = (): Tuple => ({ kind: 'tuple', items: counted(Array.from({ length: long }, () => 0)) });
    const made = (of: Value): Value => ({ kind: 'made', by: 'some.class', of, built: false });
    const [first, second, third] = [empty(), empty(), empty()];
    const parts: Tuple = { kind: 'tuple', items: [second, made(third)] };
    expect(looksAt(under((at) => made(at % 2 ? first : parts)))).toBeLessThanOrEqual(3 * long);
  });

  it('a storage in them is still found', () => {
    const tuple = (...items: Value[]): Tuple => ({ kind: 'tuple', items });
    const made = (of: Value): Value => ({ kind: 'made', by: 'some.class', of, built: false });
    for (const of of [
      tuple(stored),
      tuple(tuple(stored)),
      tuple(tuple(made(tuple(1, stored)))),
      tuple(made(tuple(stored))),
    ])
      expect(() =>
        findTensors(
          under(() => made(of)),
          {},
        ),
      ).toThrow('in a way that is not read');
    expect(
      findTensors(
        under(() => made(tuple(tuple(tuple(stored))))),
        {},
      ),
    ).toEqual([]);
    expect([...entriesOf(under(() => 1)).keys()]).toHaveLength(times);
  });
});

it('pairs that become ordered dictionaries too often are refused', () => {
  const pairs = bytesOf('](', ...Array.from({ length: 2_000 }, (_, at) => bytesOf(whole(at), 'N', 0x86)), 'eq', 0, '0');
  const again = bytesOf(named('collections', 'OrderedDict'), 'q', 1, '0');
  const made = bytesOf(
    '}(',
    ...Array.from({ length: 600 }, (_, at) => bytesOf(whole(at), 'h', 1, 'h', 0, 0x85, 'R')),
    'u',
  );
  expect(() => readWeights(stream(bytesOf(pairs, again, made)), { file: 'x.pt' })).toThrow(
    /its pickle copies more than 1048576 values, at byte \d+/,
  );
  const once = call(named('collections', 'OrderedDict'), bytesOf('](', text('a'), tensor(), 0x86, 'e'));
  expect([...readWeights(stream(once), { file: 'x.pt' }).keys()]).toEqual(['a']);
});
