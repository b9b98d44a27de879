import { describe, expect, it } from 'vitest';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { classFractions } from '../../ml/evidence/priors.ts';
import { sequenceOf } from '../../ml/methods/sequence.ts';
import { createRandom } from '../../ml/random.ts';
import { trainingData } from '../../ml/train/classifier.ts';
import { priorsBlock } from '../../ml/train/report/priors-block.ts';
import { stratifiedSample } from '../../ml/train/sample.ts';
import type { TrainingData } from '../../ml/train/types.ts';

type Names = readonly string[];

/** The data of a fit that reads a sample of these trials, which have no features. */
function sampled(labels: Names, sessions: Names | null, count: number): { data: TrainingData; rows: Int32Array } {
  const rows = stratifiedSample({ labels, sessions }, count);
  const features = {
    trials: count,
    shape: { channels: 4 },
    sets: {},
    versions: {},
  } as unknown as TrainingData['features'];
  const at = (names: Names): string[] => Array.from(rows, (row) => names[row]!);
  const sample = { rows, labels, sessions };
  return { data: trainingData(features, at(labels), sessions && at(sessions), { kind: 'sleep', sample }), rows };
}

describe('evidence on a sample', () => {
  it('keeps blocks of labels on one side of a fold, although the sample no longer shows them', () => {
    const random = createRandom(3);
    const blocks = Array.from({ length: 4_000 }, () => (random() < 0.5 ? 'rest' : 'task'));
    const { data, rows } = sampled(
      blocks.flatMap((name) => Array.from({ length: 10 }, () => name)),
      null,
      3_000,
    );
    const plan = foldPlan(data, 4);
    expect(plan.validation).toBe('blocks');
    for (const { train, test } of plan.folds) {
      const blockOf = (row: number): number => Math.floor(rows[row]! / 10);
      const trained = new Set(Array.from(train, blockOf));
      expect(Array.from(test, blockOf).filter((block) => trained.has(block))).toEqual([]);
    }
    expect(plan.warnings.join(' ')).toContain('whole blocks are held out');
  });

  it('holds out whole sessions', () => {
    const random = createRandom(4);
    const labels = Array.from({ length: 20_000 }, () => (random() < 0.1 ? 'rare' : 'often'));
    const { data } = sampled(
      labels,
      labels.map((_, i) => `night ${i % 7}`),
      1_000,
    );
    const plan = foldPlan(data, 4);
    expect(plan.validation).toBe('sessions');
    for (const { train, test } of plan.folds) {
      const trained = new Set(Array.from(train, (row) => data.sessions![row]));
      expect([...new Set(Array.from(test, (row) => data.sessions![row]))].filter((own) => trained.has(own!))).toEqual(
        [],
      );
    }
  });

  it('has folds for a class of 5 among 200,000 trials', () => {
    const random = createRandom(5);
    const labels = Array.from({ length: 200_000 }, (_, i) =>
      i % 40_000 === 99 ? 'rare' : random() < 0.5 ? 'left' : 'right',
    );
    const { data } = sampled(labels, null, 16_384);
    const rare = data.classes.indexOf('rare');
    for (const { train, test } of foldPlan(data, 4).folds) {
      expect(train.filter((row) => data.labels[row] === rare)).toHaveLength(4);
      expect(test.filter((row) => data.labels[row] === rare)).toHaveLength(1);
    }
  });

  it('knows the frequencies of the classes among all trials, which `as_sent` uses', () => {
    const labels = Array.from({ length: 100_000 }, (_, i) => (i % 100 === 0 ? 'rare' : 'often'));
    const { data } = sampled(labels, null, 1_000);
    expect(classFractions(data)).toEqual([0.99, 0.01]);
    // The sample is a quarter rare. Held-out trials that all read as "often" are right 99 times in 100.
    const often = Float64Array.from({ length: 2_000 }, (_, i) => (i % 2 === 0 ? 0.9 : 0.1));
    const block = priorsBlock([often], { ...data, priors: 'as_sent' });
    expect(block.sent).toEqual({ often: 0.99, rare: 0.01 });
    expect(block.accuracy).toBeCloseTo(0.99, 10);
    expect(block.balanced_accuracy).toBe(0.5);
  });

  it('learns how stages of sleep follow each other from trials that were neighbours', () => {
    const random = createRandom(6);
    const stages = ['N2', 'REM', 'W'];
    let stage = 0;
    const labels = Array.from({ length: 60_000 }, () => {
      if (random() < 0.1) stage = (stage + 1 + Math.floor(2 * random())) % 3;
      return stages[stage]!;
    });
    const sessions = labels.map((_, i) => `night ${Math.floor(i / 1_000)}`);
    const { data } = sampled(labels, sessions, 12_000);
    const transitions = sequenceOf(data, Int32Array.from(data.labels.keys()))!;
    for (let k = 0; k < 3; k += 1) expect(transitions[k * 3 + k]).toBeCloseTo(0.9, 1);
  });
});
