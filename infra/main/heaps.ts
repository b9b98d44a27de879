import { setFlagsFromString } from 'node:v8';

/** V8's own largest factor, which it keeps for heaps that are busy. */
const growthFactor = 4;

/**
 * Lets the heaps of all threads grow to four times what the last full collection left before the next. By itself V8
 * collects a quiet thread sooner: threads that wait between predictions collected their whole heap five times a second
 * for a few megabytes of arrays, a third of their processor time.
 */
export const growHeaps = (): void => setFlagsFromString(`--heap-growing-percent=${100 * (growthFactor - 1)}`);
