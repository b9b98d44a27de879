import type { TrainingData } from '../../ml/train/index.ts';
import type { FeatureForm, Features } from '../../ml/types.ts';

/** All a job learns from: stored under `objectNames.features`, and shared between the threads of one process. */
export interface JobData {
  readonly format: 2;
  readonly training: TrainingData;
  /** What the features themselves show, for the report. */
  readonly warnings?: readonly string[];
}

/** The same data with its feature tables in shared memory: sending them to a thread copies nothing. */
export function share(data: JobData): JobData {
  const { training } = data;
  const sets = Object.fromEntries(Object.entries(training.features.sets).map(([id, values]) => [id, shared(values)]));
  return { ...data, training: { ...training, features: { ...training.features, sets } } };
}

/** Features of a form whose tables, in shared memory, hold zeros. */
export function emptyTables({ sets, ...form }: FeatureForm): Features {
  const empty = (values: number): Float64Array =>
    new Float64Array(new SharedArrayBuffer(form.trials * values * Float64Array.BYTES_PER_ELEMENT));
  return { ...form, sets: Object.fromEntries(Object.entries(sets).map(([id, values]) => [id, empty(values)])) };
}

/** The same numbers in shared memory. */
export function shared<T extends Float32Array | Float64Array>(values: T): T {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = new (values.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(values.byteLength),
  );
  copy.set(values);
  return copy;
}
