import { describe, expect, it } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { stratifiedSample } from '../../ml/train/sample.ts';

const countsOf = (names: readonly string[], rows: Iterable<number> = names.keys()): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[names[row]!] = (counts[names[row]!] ?? 0) + 1;
  return counts;
};
const trials = 200_000;
const random = createRandom(1);
const inOneSession = Array.from({ length: trials }, () => (random() < 1 / 6 ? 'target' : 'other'));

describe('a stratified sample', () => {
  it('has exactly the requested number of trials, each once, in the order sent, the same every time', () => {
    const sessions = inOneSession.map((_, i) => String(i % 4_000));
    for (const named of [
      { labels: inOneSession, sessions: null },
      { labels: inOneSession, sessions },
    ]) {
      const rows = stratifiedSample(named, 16_384);
      expect(rows).toHaveLength(16_384);
      expect(new Set(rows).size).toBe(16_384);
      expect([...rows]).toEqual([...rows].sort((a, b) => a - b));
      expect(stratifiedSample(named, 16_384)).toEqual(rows);
    }
  });

  it('divides half of its places equally between the classes and half by their frequency', () => {
    const { target, other } = countsOf(
      inOneSession,
      stratifiedSample({ labels: inOneSession, sessions: null }, 16_384),
    );
    expect(target! + other!).toBe(16_384);
    expect(target! / 16_384).toBeGreaterThan(0.31);
    expect(target! / 16_384).toBeLessThan(0.34);
  });

  it('keeps every trial of a class of 5 among 200,000, whatever the number of sessions', () => {
    for (const sessionCount of [1, 40, 3_000, 9_000]) {
      const labels = inOneSession.map((label, i) => (i % 40_000 === 17 ? 'rare' : label));
      const sessions = labels.map((_, i) => String(i % sessionCount));
      const rows = stratifiedSample({ labels, sessions }, 16_384);
      expect(countsOf(labels, rows)['rare']).toBe(5);
      expect(rows).toHaveLength(16_384);
    }
  });

  it('has trials of each session, in proportion for long ones, more for short ones', () => {
    const sessions = inOneSession.map((_, i) => (i < 40 ? 'short' : i < 20_000 ? 'day one' : null));
    const rows = stratifiedSample({ labels: inOneSession, sessions }, 2_000);
    const kept = countsOf(
      sessions.map((name) => name ?? 'none'),
      rows,
    );
    expect(kept['short']).toBe(40);
    expect(kept['day one']! / 2_000).toBeGreaterThan(0.2);
    expect(kept['none']! / 2_000).toBeGreaterThan(0.5);
  });

  it('covers all parts of the time equally', () => {
    const rows = stratifiedSample(
      { labels: inOneSession, sessions: inOneSession.map((_, i) => String(i % 500)) },
      16_384,
    );
    const perTenth = countsOf(
      inOneSession.map((_, i) => String(Math.floor((10 * i) / trials))),
      rows,
    );
    for (const count of Object.values(perTenth)) expect(Math.abs(count - 1_638.4)).toBeLessThan(5 * Math.sqrt(1_638));
  });

  it('has any size, even if each trial is a session and all classes are equally frequent', () => {
    const labels = Array.from({ length: 1_000 }, (_, i) => String(i % 64));
    for (const count of [64, 65, 127, 128, 500, 999]) {
      const rows = stratifiedSample({ labels, sessions: labels.map((_, i) => String(i)) }, count);
      expect(rows).toHaveLength(count);
      expect(Object.keys(countsOf(labels, rows))).toHaveLength(64);
    }
  });
});
