import type { TrainingData } from '../../ml/train/index.ts';

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

/** Size of the feature tables. */
export const bytesOf = ({ training }: JobData): number =>
  Object.values(training.features.sets).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Shared memory for so many values. */
export const sharedRoom = (values: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(values * Float64Array.BYTES_PER_ELEMENT));

/** The same numbers in shared memory. */
export function shared<T extends Float32Array | Float64Array>(values: T): T {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = new (values.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(values.byteLength),
  );
  copy.set(values);
  return copy;
}
