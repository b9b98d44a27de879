import type { TrainingData } from '../../ml/train/index.ts';
import type { FeatureForm, Features } from '../../ml/types.ts';

/**
 * The training data of a job. Stored under `objectNames.features`, and in shared memory between the threads of one
 * process.
 */
export interface JobData {
  readonly format: 2;
  readonly training: TrainingData;
  /** Warnings about the features, for the report. */
  readonly warnings?: readonly string[];
}

/** Copies the feature tables to shared memory, so that sending the data to a thread copies nothing. */
export function withSharedTables(data: JobData): JobData {
  const { training } = data;
  const sets = Object.fromEntries(
    Object.entries(training.features.sets).map(([id, values]) => [id, sharedCopy(values)]),
  );
  return { ...data, training: { ...training, features: { ...training.features, sets } } };
}

/** Features of a form, with tables of zeros in shared memory. */
export function emptyTables({ sets, ...form }: FeatureForm): Features {
  const empty = (values: number): Float64Array =>
    new Float64Array(new SharedArrayBuffer(form.trials * values * Float64Array.BYTES_PER_ELEMENT));
  return { ...form, sets: Object.fromEntries(Object.entries(sets).map(([id, values]) => [id, empty(values)])) };
}

/** Copies the values to shared memory. */
export function sharedCopy<T extends Float32Array | Float64Array>(values: T): T {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = new (values.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(values.byteLength),
  );
  copy.set(values);
  return copy;
}
