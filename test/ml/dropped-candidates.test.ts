import { describe, expect, test } from 'vitest';
import { candidatesToDrop } from '../../ml/evidence/dropped-candidates.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createRandom } from '../../ml/random.ts';
import {
  chooseCandidate,
  createWorkspace,
  dropHopeless,
  planFolds,
  scoreAll,
  scoreCandidate,
  scoreFirstFold,
  trainClassifier,
  trainingData,
} from '../../ml/train/index.ts';
import type { FirstFold } from '../../ml/train/index.ts';
import { simulated } from './simulated.ts';

/** Candidates on a fold of `trials`: margins of 1 of noise, and `strength` towards the true class. */
function fold(trials: number, strengths: readonly number[], seed: number) {
  const random = createRandom(seed);
  const labels = Int32Array.from({ length: trials }, (_, i) => i % 2);
  const candidates = strengths.map((strength, c): FirstFold => ({
    method: `m${c}`,
    logScores: Float64Array.from({ length: 2 * trials }, (_, at) => {
      const own = labels[at >> 1] === at % 2 ? strength : 0;
      return own + 2 * random() - 1;
    }),
  }));
  return { labels, candidates };
}

describe('candidates on the first fold', () => {
  const [good, bad] = [Array.from({ length: 5 }, () => 2.5), Array.from({ length: 7 }, () => 0)];

  test('are dropped if they are behind the best by more than the reported bound', () => {
    const { labels, candidates } = fold(40, [...bad, ...good], 1);
    const dropped = candidatesToDrop(candidates, labels, 2, 5);
    expect(dropped.map(({ method }) => method).sort()).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6']);
    for (const { logLoss, best, bound, balancedAccuracy } of dropped) {
      expect(logLoss - best.logLoss).toBeGreaterThan(bound);
      expect(balancedAccuracy).toBeLessThan(0.75);
    }
  });

  test('stay if a pool could include them, even far behind the best', () => {
    const { labels, candidates } = fold(40, [2.5, ...bad], 1);
    expect(candidatesToDrop(candidates, labels, 2, 5)).toEqual([]);
    expect(candidatesToDrop(candidates.slice(0, 4), labels, 2, 5)).toEqual([]);
  });

  test('stay if the fold is too small to decide', () => {
    const { labels, candidates } = fold(4, [...bad, ...good.map(() => 1)], 1);
    expect(candidatesToDrop(candidates, labels, 2, 5)).toEqual([]);
  });

  test('are not dropped if there is nothing to learn, so that the choice stays random', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const { labels, candidates } = fold(
        24,
        Array.from({ length: 24 }, () => 0),
        seed,
      );
      expect(candidatesToDrop(candidates, labels, 2, 5)).toEqual([]);
    }
  });

  test('are not dropped if their scores are not numbers: their own scoring gives the reason', () => {
    const { labels, candidates } = fold(40, [0, ...good, ...good], 1);
    candidates[0]!.logScores.fill(Number.NaN);
    expect(candidatesToDrop(candidates, labels, 2, 5)).toEqual([]);
  });
});

describe('a create that drops candidates', () => {
  const sample = simulated({ count: 120, strength: 1.2 });
  const ids = [
    'tangent-logistic',
    'tangent-ridge',
    'fgmdm',
    'mdm',
    'csp-lda',
    'windowed-means-lda',
    'windowed-means-ridge',
    'filter-bank-tangent',
  ];
  const report = trainClassifier(sample.trials, sample.labels, null, { kind: 'motor', candidates: ids })
    .report as Record<string, any>;
  const rows = report['methods'].filter(({ status }: { status: string }) => status === 'dropped');
  const sets = ['cov/8-32', 'fbcov', 'erp/windows'];
  const data = trainingData(extractFeatures(sample.trials, sets), sample.labels, null, { kind: 'motor' });
  const plan = planFolds(data);

  test('keeps their rows with their score on the fold, and the bound in words', () => {
    expect(rows.map(({ id }: { id: string }) => id)).toEqual(['windowed-means-lda', 'windowed-means-ridge']);
    for (const row of rows) {
      expect(row.balanced_accuracy).toBeLessThan(0.7);
      expect(row.reason).toMatch(
        /^On the first of 5 folds its balanced accuracy was 0\.\d+\. Its log-loss was \d\.\d+, 0\.\d+ more than that of /,
      );
      expect(row.reason).toContain('cannot catch up');
    }
    expect(report['warnings'].join(' ')).not.toContain('windowed');
  });

  test('chooses the same candidate as without dropping', () => {
    const workspace = createWorkspace();
    const all = ids.map((id) => scoreCandidate(id, data, plan, workspace));
    const choice = chooseCandidate(all, data, plan);
    expect(choice.method).toBe(report['method']);
    expect(choice.pool?.map(({ id }) => id)).toEqual(report['pool'].map(({ id }: { id: string }) => id));
  });

  test('tries dropped candidates, the best first, if none of the others can be fitted on every fold', () => {
    const workspace = createWorkspace();
    const later = plan.folds.slice(1).map(({ train }) => train);
    const failing: typeof workspace = {
      ...workspace,
      once(sources, name, make) {
        if (!name.includes('erp/windows') && later.some((train) => sources.includes(train)))
          throw new Error('It cannot be fitted.');
        return workspace.once(sources, name, make);
      },
    };
    const scores = scoreAll(ids, data, plan, failing);
    const statuses = scores.map(({ method, status }) => [method, status]);
    const lossOf = (id: string): number => rows.find((row: { id: string }) => row.id === id).log_loss;
    const [best, other] = ['windowed-means-lda', 'windowed-means-ridge'].sort((a, b) => lossOf(a) - lossOf(b));
    expect(Object.fromEntries(statuses)).toEqual({
      ...Object.fromEntries(ids.map((id) => [id, 'failed'])),
      [best!]: 'scored',
      [other!]: 'dropped',
    });
  });

  test('scores the others as if no fold had been scored before', () => {
    const workspace = createWorkspace();
    expect(scoreFirstFold('csp-lda', data, plan, workspace)?.logScores.length).toBe(2 * plan.folds[0]!.test.length);
    const score = scoreCandidate('csp-lda', data, plan, workspace);
    expect(score.outOfFold).toEqual(scoreCandidate('csp-lda', data, plan).outOfFold);
  });

  test('keeps the members of an average that stays', () => {
    const members = ['tangent-tuned', 'augmented-tangent-tuned', 'fgmdm', 'filter-bank-tangent'];
    const labels = plan.folds[0]!.test.map((row) => data.labels[row]);
    const margin = (strength: number): Float64Array =>
      Float64Array.from({ length: 2 * labels.length }, (_, at) => (labels[at >> 1] === at % 2 ? strength : 0));
    const firstFolds = [
      ...members.map((method) => ({ method, logScores: margin(method === 'fgmdm' ? 0 : 8) })),
      ...['csp-lda', 'mdm'].map((method) => ({ method, logScores: margin(8) })),
      { method: 'log-power-ridge', logScores: margin(0) },
    ];
    const candidates = [...firstFolds.map(({ method }) => method), 'average-covariances'];
    expect(dropHopeless(candidates, firstFolds, data, plan).map(({ method }) => method)).toEqual(['log-power-ridge']);
    expect(dropHopeless(candidates.slice(0, -1), firstFolds, data, plan).map(({ method }) => method)).toEqual([
      'fgmdm',
      'log-power-ridge',
    ]);
  });
});
