import { describe, expect, it, test } from 'vitest';
import { blocksOf } from '../../ml/evidence/blocks.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { permutationP } from '../../ml/evidence/permutation.ts';
import { runsTest } from '../../ml/evidence/runs-test.ts';
import { createRandom, shuffle } from '../../ml/random.ts';

const classes = ['a', 'b', 'c'];
const of = (text: string): Int32Array => Int32Array.from(text, (letter) => classes.indexOf(letter));
const plan = (text: string, sessions: Int32Array | null = null) =>
  foldPlan({ labels: of(text), classes: [...new Set(text)].sort(), sessions }, 4);
const block = (letters: string, size: number): string => Array.from(letters, (letter) => letter.repeat(size)).join('');

describe('the runs test', () => {
  it('has the mean and the verdict of Wald and Wolfowitz for two classes', () => {
    const { runs, expected } = runsTest([of('aabbbaabab')]);
    expect(runs).toBe(6);
    expect(expected).toBeCloseTo((2 * 5 * 5) / 10 + 1, 12);
  });

  it('has the mean of all orders for three classes, over several lists', () => {
    const random = createRandom(1);
    const list = of(block('abc', 4) + 'aab');
    const mean =
      Array.from({ length: 4_000 }, () => runsTest([shuffle(list.slice(), random)]).runs).reduce((a, b) => a + b) /
      4_000;
    expect(Math.abs(runsTest([list]).expected - mean)).toBeLessThan(0.1);
    expect(runsTest([list, list]).expected).toBeCloseTo(2 * runsTest([list]).expected, 10);
  });

  it('finds blocks in few random orders', () => {
    const random = createRandom(2);
    const found = Array.from({ length: 1_000 }, () => runsTest([shuffle(of('ab'.repeat(30)), random)]).blocked);
    expect(found.filter(Boolean).length).toBeLessThan(20);
  });

  it.each(['aaaaabbbbb', block('abab', 5), block('abc', 5), block('abcabc', 4), block('ab'.repeat(10), 3)])(
    'finds the blocks of %s',
    (text) => {
      expect(runsTest([of(text)]).blocked).toBe(true);
    },
  );

  it.each(['ab'.repeat(20), 'abba'.repeat(10), 'abc'.repeat(12)])('finds none in %s', (text) => {
    expect(blocksOf({ labels: of(text), classes, sessions: null })).toBeNull();
  });
});

describe('labels in blocks', () => {
  it('are held out as whole blocks, each class in every fit', () => {
    const { validation, folds, warnings, withheld } = plan(block('abababab', 6));
    expect([validation, withheld]).toEqual(['blocks', null]);
    for (const { test: rows, train } of folds) {
      for (const row of rows)
        for (let i = row - (row % 6); i < row - (row % 6) + 6; i += 1) expect([...rows]).toContain(i);
      expect(rows.length + train.length).toBe(48);
    }
    expect(warnings[0]).toMatch(/^The labels come in 8 blocks \(a: 4, b: 4\).*which cannot come below 0.01/);
  });

  test.each([block('ab', 20), block('abc', 10), block('aba', 15)])(
    'give no evidence where a class has one block: %s',
    (text) => {
      const { validation, withheld, inner } = plan(text);
      expect([validation, inner]).toEqual(['stratified', []]);
      expect(withheld).toMatch(
        /come in \d blocks .*sorted the trials by class, send them in the order recorded, or name their `sessions`/,
      );
    },
  );

  it('are found by the stretches of signal that shuffled trials share', () => {
    const order = shuffle(
      Array.from({ length: 40 }, (_, t) => t),
      createRandom(3),
    );
    const links = {
      chain: Int32Array.from(order, (t) => Number(t >= 20)),
      at: Float64Array.from(order, (t) => t / 2),
      seconds: 1,
    };
    const labels = Int32Array.from(order, (t) => Number(t >= 20));
    expect(blocksOf({ labels, classes: ['a', 'b'], sessions: null })).toBeNull();
    expect(foldPlan({ labels, classes: ['a', 'b'], sessions: null, links }, 4).withheld).toMatch(/come in 2 blocks/);
  });

  it('in each of several sessions leave whole sessions held out, and shuffle blocks within them', () => {
    const sessions = Int32Array.from({ length: 80 }, (_, t) => Math.floor(t / 40));
    const { validation, shuffled, warnings } = plan(block('abab', 10) + block('abab', 10), sessions);
    expect([validation, new Set(shuffled).size]).toEqual(['sessions', 8]);
    expect(warnings[0]).toMatch(/in the same order in every session/);
    const turned = plan(block('abcab', 8) + block('abcba', 8), sessions).warnings[0];
    expect(turned).toMatch(/A drift that comes back in each session may look like the class/);
  });

  it('are the sessions where each holds one class and each class has several', () => {
    const { validation, groups, withheld } = plan(
      block('abab', 10),
      Int32Array.from({ length: 40 }, (_, t) => Math.floor(t / 10)),
    );
    expect([validation, groups, withheld]).toEqual(['blocks', null, null]);
  });

  it('have p-values only as fine as the number of blocks allows', () => {
    const labels = of(block('abab', 10));
    const votes = Float64Array.from({ length: 80 }, (_, i) => (labels[i >> 1] === i % 2 ? 1 : 0));
    const p = (units: Int32Array | null) =>
      permutationP([votes], 1, { labels, classes: 2, sessions: null, units, dependence: 1 }).p;
    expect(p(null)).toBe(0.001);
    expect(p(Int32Array.from({ length: 40 }, (_, t) => Math.floor(t / 10)))).toBeCloseTo(1 / 6, 1);
  });
});
