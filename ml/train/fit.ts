import { versionsOf } from '../features/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import type { Workspace } from '../methods/index.ts';
import { centreOf, centringOf } from '../methods/recentring.ts';
import { setsOf } from '../methods/sets.ts';
import { currentAnswer } from './answers.ts';
import { storedFormat } from './formats.ts';
import type { Choice, FittedModel, TrainingData } from './types.ts';

/** Refits the chosen method on all trials, at the temperature of its out-of-fold scores. */
export function fitWinner(choice: Choice, data: TrainingData, workspace: Workspace = createWorkspace()): FittedModel {
  const method = methodOf(choice.method, choice.version);
  const rows = Int32Array.from({ length: data.labels.length }, (_, i) => i);
  const featureSets = setsOf(method, data.features);
  const centres: Record<string, Float64Array> = {};
  for (const set of featureSets) {
    const centre = centreOf(data, set, rows, workspace, centringOf(method));
    if (centre) centres[set] = centre;
  }
  return {
    format: storedFormat,
    answer: currentAnswer(),
    method: { id: method.id, version: method.version, title: method.title },
    ...(method.members ? { members: method.members } : {}),
    classes: [...data.classes],
    shape: data.features.shape,
    featureSets: [...featureSets],
    featureVersions: versionsOf(featureSets, data.features.versions),
    head: method.fit({ data, rows, workspace }),
    temperature: choice.temperature,
    centres,
  };
}
