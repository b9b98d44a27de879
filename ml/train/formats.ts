/** The format that this code writes: `format` in stored models and batches. */
export const storedFormat = 2;

/** Formats of stored models and batches that this code reads. */
export const readableFormats: readonly number[] = [storedFormat];
