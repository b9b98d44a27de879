import { setFlagsFromString } from 'node:v8';

/** V8's own largest growth factor, which it uses for busy heaps. */
const growthFactor = 4;

/**
 * Lets the heaps of all threads grow to four times the size after the last full collection before the next one. By
 * default V8 collects idle threads sooner: threads that waited between predictions collected their whole heap five
 * times a second for a few megabytes of arrays, a third of their CPU time.
 */
export const growHeaps = (): void => setFlagsFromString(`--heap-growing-percent=${100 * (growthFactor - 1)}`);
