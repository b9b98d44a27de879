import { softmax } from '../evidence/scores.ts';
import { extractFeatures } from '../features/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import type { Features, Trials } from '../types.ts';
import { alignBatch, centringOf } from '../methods/recentring.ts';
import type { FittedModel } from './types.ts';

export interface PredictOptions {
  /** `batch`: the trials are recentred as one group onto the training trials. `none`: each trial's answer depends on that trial alone. */
  readonly align: 'none' | 'batch';
}

/** Probabilities [trials × classes] of trials whose channels are those of the model, in its order. */
export function predictTrials(model: FittedModel, trials: Trials, options: PredictOptions): Float64Array {
  return predictFeatures(model, extractFeatures(trials, model.featureSets), options);
}

/** The same from features that were extracted before. */
export function predictFeatures(model: FittedModel, features: Features, { align }: PredictOptions): Float64Array {
  const method = methodOf(model.method.id);
  if (method.version !== model.method.version)
    throw new Error(
      `The model was fitted with ${method.id} version ${model.method.version}; this service holds version ${method.version}.`,
    );
  const workspace = createWorkspace();
  const seen = align === 'batch' ? alignBatch(features, model.centres, workspace, centringOf(method)) : features;
  const rows = Int32Array.from({ length: features.trials }, (_, i) => i);
  return softmax(method.decide(model.head, seen, rows, workspace), model.classes.length, model.temperature);
}
