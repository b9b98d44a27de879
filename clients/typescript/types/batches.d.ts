/**
 * Divides trials at random into as few batches as possible, of at most `largest` trials. The sizes differ by at most
 * one. Every batch contains every class that has at least as many trials as there are batches. Returns the indices of
 * the trials of each batch, ascending.
 */
export declare function stratifiedBatches(labels: readonly string[], largest: number, seed: number): number[][];
/** Divides trials, in their order, into parts of at most `largest` trials. Returns the indices of each part. */
export declare const consecutiveBatches: (trials: number, largest: number) => number[][];
