import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { isEncoded } from '../../ml/features/index.ts';
import type { Compute } from './compute.ts';
import type { JobData } from './job-data.ts';
import type { OthersTaught } from './reference-fit-prior.ts';

/** Parts a thread: a thread that is late holds the others up by one part only. */
const partsPerThread = 2;

/** Whether nothing else lies in the memory of the bytes, which can then be moved to a thread. */
const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;

/**
 * The staged object, whose bytes are gone then → features of the job, on all threads at once: features are of one trial
 * each, so parts of the trials can be extracted side by side. Encoders, which have a thread of their own, read all
 * trials afterwards.
 */
export async function extractInParts(
  compute: Compute,
  threads: number,
  staged: Uint8Array,
  { featureSets, taskKind: kind }: Pick<FitRequest, 'featureSets' | 'taskKind'>,
  signal: AbortSignal,
  others: OthersTaught | null = null,
): Promise<JobData> {
  const unpacking = { signal, transfer: isWhole(staged) ? [staged.buffer] : [] };
  const { trials, data, recordings } = await compute('unpack', { staged, featureSets, kind, others }, unpacking);
  const parts = Math.min(trials.trials, threads * partsPerThread);
  const firstOf = (part: number): number => Math.floor((part * trials.trials) / parts);
  await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      compute('extract', { trials, data, from: firstOf(part), to: firstOf(part + 1) }, { signal }),
    ),
  );
  const sets = featureSets.filter(isEncoded);
  return sets.length === 0 ? data : compute('encode', { data, trials, sets, recordings }, { signal, waits: true });
}
