import { extractFeatures } from '../features/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import type { Features, Trials } from '../types.ts';
import type { Head } from '../methods/index.ts';
import { centringOf } from '../methods/recentring.ts';
import { answerAt, answerOf } from './answers.ts';
import type { FittedModel } from './types.ts';

export interface PredictOptions {
  /**
   * `batch`: the trials are recentred as one group onto the training trials. `none`: each trial's answer depends on
   * that trial alone.
   */
  readonly align: 'none' | 'batch';
}

/** Probabilities [trials × classes] of trials whose channels are those of the model, in its order. */
export function predictTrials(model: FittedModel, trials: Trials, options: PredictOptions): Float64Array {
  return predictFeatures(model, extractFeatures(trials, model.featureSets, model.featureVersions), options);
}

/** The same from features that were extracted before. */
export function predictFeatures(model: FittedModel, features: Features, { align }: PredictOptions): Float64Array {
  const method = methodOf(model.method.id, model.method.version);
  const answer = answerAt(answerOf(model));
  const workspace = createWorkspace();
  const seen = align === 'batch' ? answer.align(features, model.centres, workspace, centringOf(method)) : features;
  const rows = Int32Array.from({ length: features.trials }, (_, i) => i);
  const decide = ({ id, version }: FittedModel['method'] | MemberVersion, head: Head): Float64Array =>
    methodOf(id, version).decide(head, seen, rows, workspace);
  const heads = model.head['members'] as readonly Head[];
  const logScores = model.members
    ? answer.pool(
        model.members.map((member, m) => decide(member, heads[m])),
        model.classes.length,
      )
    : decide(model.method, model.head);
  return answer.softmax(logScores, model.classes.length, model.temperature);
}

type MemberVersion = NonNullable<FittedModel['members']>[number];
