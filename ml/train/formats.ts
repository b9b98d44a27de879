/** The format in which this code stores models and batches: the `format` in their objects. */
export const storedFormat = 2;

/** Formats of stored models and batches that this code reads. */
export const readableFormats: readonly number[] = [storedFormat];
