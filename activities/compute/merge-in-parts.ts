import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import pLimit from 'p-limit';
import type { Compute } from './compute.ts';
import type { JobData } from './job-data.ts';
import type { ReferenceFitOrReason } from './reference-fit-prior.ts';

interface MergeOptions {
  readonly referenceFit?: ReferenceFitOrReason | null;
  /** Classes whose trials are left out. */
  readonly ignored?: readonly string[];
}

/**
 * Merges stored batches, named by their objects, into the features of a job. Each thread reads one batch, or one part
 * of a batch, at a time, so that memory contains only the rows that the fit reads.
 */
export async function mergeInParts(
  { compute, objects, threads }: { compute: Compute; objects: Pick<ObjectStore, 'get'>; threads: { size: number } },
  names: readonly string[],
  { featureSets, taskKind: kind, network }: Pick<FitRequest, 'featureSets' | 'taskKind' | 'network'>,
  signal: AbortSignal,
  { referenceFit = null, ignored = [] }: MergeOptions = {},
): Promise<JobData> {
  const aTime = pLimit(threads.size);
  const read = async (name: string): Promise<Uint8Array> => {
    signal.throwIfAborted();
    return objects.get(name);
  };
  const batches = await aTime.map(names, async (name) => compute('readBatch', { bytes: await read(name) }, { signal }));
  const chosen = await compute('chooseTrials', { batches, featureSets, ignored }, { signal });
  const printed = await aTime.map(names, async (name, batch) =>
    compute('takeFingerprints', { bytes: await read(name), rows: chosen.rows[batch]! }, { signal }),
  );
  const { data, origins } = await compute('merge', { chosen, printed, kind, network, referenceFit }, { signal });
  await aTime.map(chosen.parts, async (part) => {
    const bytes = await read(objectNames.batchPart(names[part.batch]!, part.part));
    await compute('take', { bytes, data, part }, { signal });
  });
  return compute('merged', { data, origins }, { signal });
}
