import { select, type Selection } from '../../ml/select/index.ts';
import { readTask, refuseTask } from '../../ml/task/index.ts';
import type {
  DatasetShape,
  EncoderAvailability,
  NetworkTask,
  ReferenceAvailability,
  TaskKind,
} from '../../ml/types.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { currentVersions, dimensionOf } from '../../ml/features/index.ts';
import { fitCost, setsFitted, trialsFitted, type FitCost } from '../../ml/train/index.ts';

export interface PlanInput {
  readonly description: string;
  /** Trials of each class. */
  readonly trialsPerClass: Readonly<Record<string, number>>;
  readonly channelNames: readonly string[];
  readonly sourceRateHz: number;
  /** Samples per trial at 256 Hz. */
  readonly samples: number;
  readonly seconds: number;
  readonly sessions: number;
  readonly storedFeaturesOnly: boolean;
  readonly missingChannels: 'nearest' | 'reject';
  /** Electrode positions, head frame, metres, one per channel name; absent: template positions. */
  readonly positions?: readonly (readonly [number, number, number])[];
  /** Distinct recordings of `normalization_context`; absent: the sessions. */
  readonly recordings?: number;
  /** Seconds before the cue in each trial; absent: the caller did not say. */
  readonly baselineSeconds?: number;
  /** Whether recordings of other people can be used; absent: no reference task matches. */
  readonly reference?: ReferenceAvailability;
  /** State of the pretrained encoders; absent: none can be used. */
  readonly encoders?: EncoderAvailability;
  /** The task of the movement network with these classes; absent: none. */
  readonly network?: NetworkTask;
  /** Feature sets in the stored batches; absent: all sets can be extracted. */
  readonly stored?: readonly string[];
}

export interface Plan extends Selection {
  readonly kind: TaskKind;
  readonly category: string;
  readonly classes: readonly string[];
  /** What the fit reads and costs, by `fitCost`. */
  readonly cost: FitCost;
}

interface Classified {
  readonly description: string;
  readonly labels: readonly string[];
  /** The request field of the classes; default `labels`. */
  readonly named?: 'labels' | 'classes';
}

/**
 * Throws TASK_UNSUPPORTED if the description or the labels clearly name an unsupported task (spec, "What the service
 * does").
 */
export function refuseUnsupported({ description, labels, named }: Classified): void {
  const refused = refuseTask(description, [...new Set(labels)], named);
  if (refused)
    throw new ApiError('TASK_UNSUPPORTED', refused.message, {
      field: refused.field,
      details: { category: refused.category, evidence: refused.evidence },
    });
}

/**
 * Reads the task, then chooses methods from the shape alone. Throws TASK_UNSUPPORTED for an unsupported task,
 * INVALID_REQUEST only if no method can read the data.
 */
export function planFit({ description, trialsPerClass, stored, ...shape }: PlanInput): Plan {
  const classes = Object.keys(trialsPerClass);
  refuseUnsupported({ description, labels: classes });
  const task = readTask(description, classes);
  const counts = Object.values(trialsPerClass);
  const trials = counts.reduce((sum, count) => sum + count, 0);
  const selection = selectThatFits(
    {
      ...shape,
      kind: task.kind,
      classes,
      trialsPerClass: counts,
      trials,
      ...(task.frequenciesHz ? { frequenciesHz: task.frequenciesHz } : {}),
    },
    stored,
  );
  if (selection.candidates.length === 0) {
    const skipped = selection.skipped.map(({ id, title, reason }) => ({ id, title, reason }));
    throw new ApiError(
      'INVALID_REQUEST',
      `No method can read these trials: \`details.skipped\` says of each of the ${skipped.length} what it needs.`,
      { field: 'x', details: { skipped } },
    );
  }
  return {
    ...selection,
    kind: task.kind,
    category: task.category,
    classes,
    cost: costOf(selection, shape, trials),
  };
}

type Shape = Pick<PlanInput, 'channelNames' | 'samples' | 'sourceRateHz' | 'positions'>;

/** Values per trial of each feature set. */
function valuesOf(
  featureSets: readonly string[],
  { channelNames, samples, sourceRateHz, positions }: Shape,
): Readonly<Record<string, number>> {
  const shape = {
    channels: channelNames.length,
    samples,
    rateHz: limits.workingRateHz,
    sourceRateHz,
    channelNames,
    ...(positions && { positions }),
  };
  const versions = currentVersions(featureSets);
  return Object.fromEntries(featureSets.map((id) => [id, dimensionOf(id, versions, shape)]));
}

/** Methods for the shape, without those whose large features would leave few trials for the fit. */
function selectThatFits(shape: DatasetShape, stored?: readonly string[]): Selection {
  const all = select(shape, stored);
  const values = valuesOf(all.featureSets, shape);
  const fitted = setsFitted(shape.trials, values);
  const kept = Object.keys(fitted);
  if (kept.length === all.featureSets.length) return all;
  const some = select(shape, kept);
  if (some.candidates.length === 0) return all;
  const [without, more] = [values, fitted].map((sets) => trialsFitted(shape.trials, sets).toLocaleString('en'));
  const reason =
    `reads features too large for this many trials and channels: with it the fit reads ${without} of the ` +
    `${shape.trials.toLocaleString('en')} trials, without it ${more}`;
  const left = new Set(all.candidates.map(({ id }) => id));
  return { ...some, skipped: some.skipped.map((each) => (left.has(each.id) ? { ...each, reason } : each)) };
}

const costOf = ({ featureSets, candidates }: Selection, shape: Shape, trials: number): FitCost =>
  fitCost({ trials, sets: valuesOf(featureSets, shape), candidates: candidates.length });
