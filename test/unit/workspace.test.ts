import { expect, it } from 'vitest';
import { createWorkspace } from '../../ml/methods/index.ts';

const mebibyte = 1024 * 1024;

it('computes a value once for the same sources and name', () => {
  const workspace = createWorkspace();
  const [a, b] = [{}, {}];
  let made = 0;
  const get = (sources: readonly object[], name = 'mean') => workspace.once(sources, name, () => ({ made: ++made }));
  expect(get([a, b])).toBe(get([a, b]));
  expect(get([b, a])).not.toBe(get([a, b]));
  expect(get([a, b], 'gram').made).toBe(3);
  expect(workspace.known([a, b], 'mean')).toBe(get([a, b]));
  expect(workspace.known([a], 'mean')).toBeUndefined();
});

it('caches large values up to its limit, the most recently used; small ones stay', () => {
  const workspace = createWorkspace(3 * mebibyte);
  const source = {};
  const made: string[] = [];
  const get = (name: string, bytes = mebibyte) =>
    workspace.once([source], name, () => {
      made.push(name);
      return { x: new Float64Array(bytes / 8), parts: [{ dimension: 1 }] };
    });
  get('small', 1024);
  for (const name of ['a', 'b', 'c', 'a', 'd']) get(name);
  expect(made).toEqual(['small', 'a', 'b', 'c', 'd']);
  for (const name of ['small', 'a', 'c', 'd', 'b']) get(name);
  expect(made).toEqual(['small', 'a', 'b', 'c', 'd', 'b']);
  get('too large to keep', 4 * mebibyte);
  get('a');
  expect(made.slice(-2)).toEqual(['too large to keep', 'a']);
});

it('does not count memory that threads share', () => {
  const workspace = createWorkspace(mebibyte);
  const source = {};
  let made = 0;
  const get = () =>
    workspace.once([source], 'shared', () => {
      made += 1;
      return new Float64Array(new SharedArrayBuffer(8 * mebibyte));
    });
  expect(get()).toBe(get());
  expect(made).toBe(1);
});
