import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { isEncoded } from '../../ml/features/index.ts';
import type { Compute } from './compute.ts';
import type { JobData } from './job-data.ts';
import type { ReferenceFitOrReason } from './reference-fit-prior.ts';

/** Parts per thread: a slow thread delays the others by one part only. */
const partsPerThread = 2;

/** Whether the bytes are the only content of their buffer, which can then be moved to a thread. */
const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;

/**
 * Extracts the features of the job from the staged object, on all threads at once. The bytes of the staged object are
 * moved, so the caller cannot use them afterwards. Features depend on one trial each, so parts of the trials can be
 * extracted in parallel. Encoders have their own thread and read all trials afterwards.
 */
export async function extractInParts(
  compute: Compute,
  threads: number,
  staged: Uint8Array,
  { featureSets, taskKind: kind, network }: Pick<FitRequest, 'featureSets' | 'taskKind' | 'network'>,
  signal: AbortSignal,
  referenceFit: ReferenceFitOrReason | null = null,
): Promise<JobData> {
  const unpacking = { signal, transfer: isWhole(staged) ? [staged.buffer] : [] };
  const unpacked = await compute('unpack', { staged, featureSets, kind, network, referenceFit }, unpacking);
  const { trials, data, recordings } = unpacked;
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
