import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { isEncoded } from '../../ml/features/index.ts';
import type { Compute } from './compute.ts';
import type { JobData } from './job-data.ts';
import type { OthersTaught } from './reference-prior.ts';

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
  { featureSets: sets, taskKind: kind }: Pick<FitRequest, 'featureSets' | 'taskKind'>,
  signal: AbortSignal,
  others: OthersTaught | null = null,
): Promise<JobData> {
  const unpacking = { signal, transfer: isWhole(staged) ? [staged.buffer] : [] };
  const { trials, labels, sessions, recordings, priors, links } = await compute('unpack', { staged }, unpacking);
  const encoded = sets.filter(isEncoded);
  const featureSets = sets.filter((set) => !isEncoded(set));
  const parts = Math.min(trials.trials, threads * partsPerThread);
  const features = await Promise.all(
    Array.from({ length: parts }, (_, part) => compute('extract', { trials, featureSets, part, parts }, { signal })),
  );
  const transfer = features.flatMap(({ sets }) => Object.values(sets).map(({ buffer }) => buffer as ArrayBuffer));
  const parted = { parts: features, labels, sessions, recordings, kind, links, priors, others };
  const data = await compute('join', parted, { signal, transfer });
  if (encoded.length === 0) return data;
  const payload = { data, trials, sets: encoded, recordings: recordings ?? sessions };
  return compute('encode', payload, { signal, waits: true });
}
