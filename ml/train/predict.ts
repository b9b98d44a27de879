import { withPrior } from '../evidence/priors.ts';
import { extractFeatures, isEncoded, isReadTogether, readFeatures, silenced, trialsAt } from '../features/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import { putRows, range } from '../rows.ts';
import type { Encoders } from '../encoders/types.ts';
import type { Features, Trials } from '../types.ts';
import type { Head } from '../methods/index.ts';
import { centringOf } from '../methods/recentring.ts';
import type { Centring } from '../methods/types.ts';
import { flatTrials } from '../signal/index.ts';
import { answerAt, answerOf } from './answers.ts';
import type { FittedModel } from './types.ts';

export interface PredictOptions {
  /**
   * `batch`: the trials are one recording in order. They are recentred as one group onto the training trials, and
   * epochs of sleep are read with their neighbours. `none`: each trial's answer depends on that trial alone.
   */
  readonly align: 'none' | 'batch';
}

/**
 * Probabilities [trials × classes] of trials whose channels are those of the model, in its order. Channels without
 * signal in the fit are ignored. Constant trials carry no information: they are left out of a batch and answered with
 * the prior.
 */
export function predictTrials(model: FittedModel, sent: Trials, options: PredictOptions): Float64Array {
  const { live, answer } = around(model, sent);
  if (!live) return answer(new Float64Array(0));
  return answer(predictFeatures(model, extractFeatures(live, model.featureSets, model.featureVersions), options));
}

/** Like `predictTrials`, for a model that may read features of pretrained encoders. */
export async function predictEncoded(
  model: FittedModel,
  sent: Trials,
  options: PredictOptions,
  encoders: Encoders,
): Promise<Float64Array> {
  if (!model.featureSets.some(isEncoded)) return predictTrials(model, sent, options);
  const { live, answer } = around(model, sent);
  if (!live) return answer(new Float64Array(0));
  const together = options.align === 'batch';
  const sets = together
    ? model.featureSets
    : model.featureSets.filter((set) => !isReadTogether(set, model.featureVersions));
  const features = await readFeatures(live, sets, {
    encoders,
    recordings: together ? [range(live.trials)] : null,
    versions: model.featureVersions,
    ...(model.standards && { standards: model.standards }),
  });
  return answer(predictFeatures(model, features, options));
}

/** The trials with information (null if there are none), and a function that extends their answers to all trials. */
function around(
  model: FittedModel,
  sent: Trials,
): { readonly live: Trials | null; answer(own: Float64Array): Float64Array } {
  const trials = silenced(sent, model.shape.silent ?? []);
  const flat = new Set(flatTrials(trials.data, trials.trials, trials.channels, trials.samples));
  if (flat.size === 0) return { live: trials, answer: (own) => own };
  const classes = model.classes.length;
  const { prior } = model;
  const live = range(trials.trials).filter((row) => !flat.has(row));
  return {
    live: live.length ? trialsAt(trials, live) : null,
    answer(own) {
      const out = Float64Array.from({ length: trials.trials * classes }, (_, i) => prior?.[i % classes] ?? 1 / classes);
      putRows(out, classes, live, own);
      return out;
    },
  };
}

/** Like `predictTrials`, from features that were extracted before. */
export function predictFeatures(model: FittedModel, features: Features, { align }: PredictOptions): Float64Array {
  const answer = answerAt(answerOf(model));
  const workspace = createWorkspace();
  const classes = model.classes.length;
  const rows = range(features.trials);
  const known: Partial<Record<Centring, Features>> = {};
  const seenBy = (centring: Centring): Features =>
    align === 'none'
      ? features
      : (known[centring] ??= answer.align(features, centresOf(model, centring), {
          workspace,
          centring,
          othersCount: model.othersCount,
        }));
  const decide = ({ id, version }: MemberVersion, head: Head, centring?: Centring): Float64Array => {
    const method = methodOf(id, version);
    return method.decide(head, seenBy(centring ?? centringOf(method)), rows, workspace);
  };
  const alone = answer.softmax(logScores(), classes, temperatureOf(model, align));
  const balanced = align === 'batch' && model.sequence ? answer.follow(alone, model.sequence) : alone;
  return model.prior ? withPrior(balanced, model.prior) : balanced;

  function logScores(): Float64Array {
    const { method, members, mix } = model;
    if (!members) return decide(method, model.head);
    const heads = model.head['members'] as readonly Head[];
    if (!mix) {
      const centring = centringOf(methodOf(method.id, method.version));
      return answer.average(
        members.map((member, m) => decide(member, heads[m], centring)),
        model.head['temperatures'] as readonly number[],
        classes,
      );
    }
    const decided = members.map((member, m) => decide(member, heads[m]));
    const parts = mix.map(({ of, temperatures }) =>
      temperatures
        ? answer.average(
            of.map((m) => decided[m]),
            temperatures,
            classes,
          )
        : decided[of[0]],
    );
    return answer.mix(parts, mix, classes);
  }
}

type MemberVersion = NonNullable<FittedModel['members']>[number];

const temperatureOf = (
  { temperature, temperatureAlone = temperature }: FittedModel,
  align: PredictOptions['align'],
): number => (align === 'none' ? temperatureAlone : temperature);

const centresOf = ({ centres, mix, euclideanCentres }: FittedModel, centring: Centring): FittedModel['centres'] =>
  mix && centring === 'euclidean' ? (euclideanCentres ?? {}) : centres;
