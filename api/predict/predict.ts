import { LRUCache } from 'lru-cache';
import { decodeFormat } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import type { Encoders } from '../../ml/encoders/types.ts';
import { trialsAt } from '../../ml/features/index.ts';
import { putRows, rowsOfEach } from '../../ml/rows.ts';
import { predictEncoded, storedFormat, type FittedModel } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { requireSites } from './require-sites.ts';
import { inChannelOrder, likeFitted } from '../intake/channel-order.ts';
import { atFormRate, ofFormLength } from '../intake/form.ts';
import { atFittedSites } from '../intake/at-fitted-sites.ts';
import type { PredictTask } from './predict-task.ts';
import { scaleNotes } from '../intake/scale-notes.ts';
import { mergeRepresentations } from './merge-representations.ts';
import { silentNotes } from './silent-notes.ts';
import { cutWindows, meanOfWindows, requireLength } from './windows.ts';

interface Predicted {
  /** [trials × classes] */
  readonly probabilities: Float64Array;
  readonly warnings: readonly string[];
}

async function predictAll(
  model: FittedModel,
  encoders: Encoders,
  { trials, align, strideSeconds, missingChannels, recordings }: PredictTask,
): Promise<Predicted> {
  if (missingChannels === 'reject') requireSites(model);
  const ordered = likeFitted(inChannelOrder(trials, model.shape.channelNames), model.shape);
  const sited = atFittedSites(ordered, model);
  const long = ofFormLength(sited.trials, model);
  requireLength(long.trials, model);
  const formed = atFormRate(long.trials, model);
  const classes = model.classes.length;
  const notes = new Set([
    ...sited.notes,
    ...long.notes,
    ...formed.notes,
    ...scaleNotes(trials.scale, model.shape.scale),
    ...silentNotes(formed.trials, model.shape.silent ?? []),
  ]);
  const one = async (part: Trials): Promise<Float64Array> => {
    const windowed = cutWindows(part, model, strideSeconds);
    for (const note of windowed.notes) notes.add(note);
    const each = await predictEncoded(model, windowed.trials, { align }, encoders);
    return meanOfWindows(each, windowed.perTrial, classes);
  };
  const groups = align === 'batch' ? rowsOfEach(recordings) : null;
  const probabilities = groups ? new Float64Array(trials.trials * classes) : await one(formed.trials);
  for (const rows of groups ?? []) putRows(probabilities, classes, rows, await one(trialsAt(formed.trials, rows)));
  return { probabilities, warnings: [...notes] };
}

/**
 * The `data` of a prediction list as JSON text. It is rendered in the thread, so that thousands of trials cost the main
 * thread nothing.
 */
function render(probabilities: Float64Array, classes: readonly string[]): string {
  const rows: object[] = [];
  for (let index = 0; index * classes.length < probabilities.length; index++) {
    const row = probabilities.subarray(index * classes.length, (index + 1) * classes.length);
    let best = 0;
    row.forEach((value, at) => {
      if (!Number.isFinite(value)) throw new Error(`The model gave no probability for trial ${index}.`);
      if (value > row[best]) best = at;
    });
    rows.push({
      object: 'classification',
      index,
      label: classes[best],
      probabilities: Object.fromEntries(classes.map((name, at) => [name, row[at]])),
    });
  }
  return JSON.stringify(rows);
}

export interface Answered {
  /** JSON text. */
  readonly data: string;
  readonly priors: ReturnType<typeof priorsOf>;
  readonly warnings: readonly string[];
}

/** The model's probability of each class before it sees a trial. */
const priorsOf = ({ classes, prior }: FittedModel) => ({
  kind: prior ? ('as_sent' as const) : ('balanced' as const),
  classes: Object.fromEntries(classes.map((name, k) => [name, prior?.[k] ?? 1 / classes.length])),
});

/** Bytes of the fitted models that each thread caches. */
const cachedBytes = 64 * 1024 * 1024;
/** Minimum size of a cached model, so that the number of small models is bounded too. */
const leastBytes = 64 * 1024;

/**
 * Predicts with a hosted model. Caches the most recently used models, up to `cachedBytes` in total. Rejects with
 * ApiError INVALID_REQUEST for trials that the model cannot read.
 */
export function createPredict(store: ObjectStore, encoders: Encoders, maxSize = cachedBytes) {
  const models = new LRUCache<string, FittedModel>({ maxSize });
  return async (task: PredictTask): Promise<Answered> => {
    let model = models.get(task.modelRef);
    if (!model) {
      const bytes = await store.get(task.modelRef);
      model = mergeRepresentations(decodeFormat<FittedModel>(bytes, storedFormat, 'model'));
      models.set(task.modelRef, model, { size: Math.max(bytes.length, leastBytes) });
    }
    const { probabilities, warnings } = await predictAll(model, encoders, task);
    return { data: render(probabilities, model.classes), priors: priorsOf(model), warnings };
  };
}
