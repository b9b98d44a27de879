import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's own largest factor, which it keeps for heaps that are busy. */
const growthFactor = 4;

/**
 * Lets the heaps of all threads grow to four times what the last full collection left before the next. By itself V8
 * collects a quiet thread sooner: threads that wait between predictions collected their whole heap five times a second
 * for a few megabytes of arrays, a third of their processor time.
 */
export const growHeaps = (): void => setFlagsFromString(`--heap-growing-percent=${100 * (growthFactor - 1)}`);

/**
 * Collects the whole heap of the calling thread now, in some 50 ms. What a start leaves would be collected some seconds
 * later, while the first requests are answered.
 */
export function collectHeap(): void {
  setFlagsFromString('--expose-gc');
  try {
    (runInNewContext('gc') as () => void)();
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
