import { decideLinear } from '../../classify/linear.ts';
import type { LinearHead } from '../../classify/linear.ts';
import type { ReferencePrior, TaskKind } from '../../types.ts';
import { valuesAt } from '../../rows.ts';
import { firstOf } from '../reasons.ts';
import type { Check } from '../reasons.ts';
import type { FitContext, Head, Method } from '../types.ts';
import { vectorsOf } from './pipeline.ts';
import { plain } from './plain.ts';
import { overAll, referenceSpace } from './reference-space.ts';
import { tangentSpace } from './tangent-space.ts';
import type { Vectors } from './types.ts';
import { reasonSentence } from '../../reason-sentences.ts';

/** Representation of other people's recordings: covariances recentred on each person's mean, or mean amplitudes. */
const parts = {
  'cov/8-32': tangentSpace('cov/8-32'),
  'cov/4-40': tangentSpace('cov/4-40'),
  'erp/windows': plain(['erp/windows'], { standardise: false }),
};
export type ReferenceSet = keyof typeof parts;

/** Weights for one person, from the prior of other people and from the person's own trials. */
export type Adapt = (prior: ReferencePrior, vectors: Vectors, labels: Int32Array, context: FitContext) => LinearHead;

/** Why trials that begin before the cue cannot be read like those of other people, from "needs" on; null: they can. */
export const lateCue = (set: string, baselineSeconds: number): string | null =>
  set === 'erp/windows' && baselineSeconds > 0 ? reasonSentence('late_cue', { seconds: baselineSeconds }) : null;

/** These methods are tried on every kind of task. */
export const everywhere: readonly TaskKind[] = ['motor', 'erp', 'sleep', 'other'];

const asksReference =
  (set: string): Check =>
  ({ reference, baselineSeconds = 0 }) => {
    if (!reference) return reasonSentence('no_other_people', {});
    if ('reason' in reference) return reference.reason;
    const late = lateCue(set, baselineSeconds);
    if (late !== null) return late;
    return reference.set === set ? null : reasonSentence('other_people_otherwise', { set, kept: reference.set });
  };

/** A method that starts from other people's recordings. It requires `TrainingData.reference`. */
export function referenceMethod(
  { id, title, source }: Pick<Method, 'id' | 'title' | 'source'>,
  set: ReferenceSet,
  adapt: Adapt,
): Method {
  const part = parts[set];
  const vectors = (
    head: Head,
    ...rest: [FitContext['data']['features'], Int32Array, FitContext['workspace']]
  ): Vectors => vectorsOf(part, head['representation'] as Head, ...rest);
  return {
    id,
    version: '1',
    title,
    source,
    family: `reference ${set}`,
    kinds: everywhere,
    needsOthers: true,
    unreadable: firstOf(asksReference(set), part.unreadable),
    featureSets: () => [set],
    fit(context) {
      const { data, rows, workspace } = context;
      const { reference: prior } = data;
      if (!prior) throw new Error('It was given no recordings of other people.');
      const { channels, channelNames } = data.features.shape;
      const all = channelNames.join() === prior.electrodes.join();
      const representation =
        all || set === 'erp/windows'
          ? workspace.once([data, rows], `fit:${part.name}`, () => part.fit(context))
          : workspace.once([data, rows], `fit:reference:${set}`, () => referenceSpace(set, prior.electrodes, context));
      const at = prior.electrodes.map((name) => channelNames.indexOf(name));
      const { weights, bias } =
        set === 'erp/windows' ? overAll({ weights: prior.weights, bias: prior.bias }, at, channels) : prior;
      const own = vectors({ representation }, data.features, rows, workspace);
      if (weights.length !== own.columns * bias.length)
        throw new Error(
          `The recordings of other people give ${weights.length / bias.length} numbers a trial, these trials ` +
            `${own.columns}.`,
        );
      return {
        representation,
        classifier: adapt({ ...prior, weights, bias }, own, valuesAt(data.labels, rows), context),
      };
    },
    decide: (head, features, rows, workspace) =>
      decideLinear(head['classifier'] as LinearHead, vectors(head, features, rows, workspace).data),
  };
}
