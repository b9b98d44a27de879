import type { Compute } from '../compute.ts';
import type { Extracted } from './tasks.ts';

/** Parts a thread: a thread that is late holds the others up by one part only. */
const partsPerThread = 2;

/** Staged trials → features of the job, on all threads at once: features are of one trial each, so parts of the trials can be extracted side by side. */
export async function extractInParts(compute: Compute, threads: number, staged: Uint8Array, featureSets: readonly string[], signal: AbortSignal): Promise<Extracted> {
  const parts = threads * partsPerThread;
  const [warnings, ...features] = await Promise.all([
    compute('inspect', { staged }, { signal }),
    ...Array.from({ length: parts }, (_, part) => compute('extract', { staged, featureSets, part, parts }, { signal })),
  ]);
  return compute('join', { staged, parts: features, warnings }, { signal });
}

/** The bytes in memory that threads share, so that each of them is sent no copy. */
export function inShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return shared;
}
