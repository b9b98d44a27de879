import { describe, expect, it } from 'vitest';
import { stratifiedSample } from '../../ml/train/sample.ts';

const shares = (labels: readonly string[], rows: Int32Array): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[labels[row]!] = (counts[labels[row]!] ?? 0) + 1;
  return counts;
};

describe('a stratified sample', () => {
  const labels = Array.from({ length: 50_000 }, (_, i) => (i % 500 === 0 ? 'rare' : i % 4 ? 'often' : 'seldom'));

  it('has the share of each class, and keeps a rare one whole up to 100 trials', () => {
    const rows = stratifiedSample({ labels, sessions: null }, 5_000);
    expect(new Set(rows).size).toBe(rows.length);
    expect([...rows]).toEqual([...rows].sort((a, b) => a - b));
    expect(rows.length).toBeGreaterThan(4_990);
    expect(rows.length).toBeLessThanOrEqual(5_000);
    const counts = shares(labels, rows);
    expect(counts.rare).toBe(100);
    expect(counts.often! / counts.seldom!).toBeCloseTo(3, 0);
  });

  it('is the same every time, and has trials of each session', () => {
    const sessions = labels.map((_, i) => (i < 1_000 ? 'short' : i < 20_000 ? 'day one' : null));
    const rows = stratifiedSample({ labels, sessions }, 2_000);
    expect(stratifiedSample({ labels, sessions }, 2_000)).toEqual(rows);
    const strata = shares(
      labels.map((label, i) => `${label} ${sessions[i]}`),
      rows,
    );
    expect(Object.keys(strata)).toHaveLength(9);
    expect(strata['rare short']).toBe(2);
  });

  it('is never more than was asked for, though each trial is a session of its own', () => {
    const rows = stratifiedSample({ labels, sessions: labels.map((_, i) => String(i)) }, 1_000);
    expect(rows.length).toBeLessThanOrEqual(1_000);
  });
});
