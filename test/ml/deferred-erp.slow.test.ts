import { describe, expect, test } from 'vitest';
import { extractFeatures, featureSet } from '../../ml/features/index.ts';
import { mergeFeatures } from '../support/merge-features.ts';
import { createWorkspace } from '../../ml/methods/index.ts';
import { select } from '../../ml/select/index.ts';
import {
  chooseCandidate,
  datasetShape,
  fitWinner,
  planFolds,
  predictTrials,
  scoreCandidate,
  trainingData,
} from '../../ml/train/index.ts';
import type { CandidateScore } from '../../ml/train/index.ts';
import { balancedAccuracy } from '../bench/ours.ts';
import { earlierAndLast, readRecording, recordingsMissing, toTrials } from '../support/recordings.ts';

const name = 'muse_visual_p300/subject1';

describe.skipIf(recordingsMissing(name))('a deferred fit of evoked responses', () => {
  test('is within 0.01 of the immediate create on trials of the next session, from the features that batches store', () => {
    const recording = readRecording(name);
    const { train: all, test: held } = earlierAndLast(recording);
    const train = all.slice(0, 450);
    const batches = [train.slice(0, 150), train.slice(150, 300), train.slice(300)];
    const labels = train.map((row) => recording.labels[row]!);
    const wanted = held.map((row) => recording.labels[row]!);
    const later = toTrials(recording, held);
    const shape = datasetShape(toTrials(recording, train), labels, null, { kind: 'erp' });

    const reached = [false, true].map((storedFeaturesOnly) => {
      const { candidates, featureSets } = select({ ...shape, storedFeaturesOnly });
      if (storedFeaturesOnly) expect(featureSets.filter((id) => !featureSet(id).storable)).toEqual([]);
      const parts = storedFeaturesOnly ? batches : [train];
      const features = mergeFeatures(parts.map((rows) => extractFeatures(toTrials(recording, rows), featureSets)));
      const data = trainingData(features, labels, null, { kind: 'erp' });
      const plan = planFolds(data);
      const workspace = createWorkspace();
      const scores: CandidateScore[] = [];
      for (const { id } of candidates) scores.push(scoreCandidate(id, data, plan, workspace, scores));
      const model = fitWinner(chooseCandidate(scores, data, plan), data, workspace);
      return balancedAccuracy(predictTrials(model, later, { align: 'none' }), model.classes, wanted);
    });

    expect(reached[0]).toBeGreaterThan(0.6);
    expect(Math.abs(reached[1]! - reached[0]!)).toBeLessThanOrEqual(0.01);
  });
});
