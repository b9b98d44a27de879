import { expect, test } from 'vitest';
import { extractFeatures, featureSet } from '../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { planFolds, scoreCandidate, trainingData } from '../../ml/train/index.ts';
import type { CandidateScore } from '../../ml/train/index.ts';
import { flicker } from './simulated.ts';

test('a deferred fit of flicker reads the second harmonics from the features that batches store', () => {
  const sample = flicker({ classes: 16, perClass: 8, strength: 0.9, seed: 1 });
  const ids = ['filter-bank-cca-lda', 'filter-bank-cca-rule', 'filter-bank-tangent', 'ensemble-trca', 'average-ssvep'];
  const scoredFrom = (storedFeaturesOnly: boolean): number[] => {
    const shape = { frequenciesHz: sample.frequenciesHz, storedFeaturesOnly };
    const sets = [...new Set(ids.slice(0, -1).flatMap((id) => methodOf(id).featureSets(shape)))];
    expect(sets.every((id) => featureSet(id).storable)).toBe(storedFeaturesOnly);
    const data = trainingData(extractFeatures(sample.trials, sets), sample.labels, null);
    const plan = planFolds(data);
    const workspace = createWorkspace();
    const scores: CandidateScore[] = [];
    for (const id of ids) scores.push(scoreCandidate(id, data, plan, workspace, scores));
    return scores.slice(-2).map(({ balancedAccuracy }) => balancedAccuracy);
  };
  const [immediate, deferred] = [scoredFrom(false), scoredFrom(true)];
  immediate.forEach((reached, i) => {
    expect(reached).toBeGreaterThan(0.5);
    expect(reached - deferred[i]!).toBeLessThanOrEqual(0.02);
  });
});
