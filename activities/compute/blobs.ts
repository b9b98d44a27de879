import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import type { Compute } from './compute.ts';
import { bytesOf, type JobData } from './job-data.ts';

/**
 * Features of the jobs that run in this process, in shared memory. The object store holds them for every other
 * process.
 */
export interface Blobs {
  /** From memory, else from the object store. */
  open(ref: string): Promise<JobData>;
  keep(ref: string, data: JobData): void;
  /** Lets go of what begins with `prefix`. */
  forget(prefix: string): void;
}

const mostBytes = 1024 ** 3;

export function createBlobs({ objects, compute }: { objects: ObjectStore; compute: Compute }): Blobs {
  const kept = new Map<string, { data: Promise<JobData>; bytes: number }>();

  const trim = (): void => {
    let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [ref, { bytes }] of kept) {
      if (total <= mostBytes || kept.size === 1) return;
      kept.delete(ref);
      total -= bytes;
    }
  };
  const load = async (ref: string): Promise<JobData> => compute('open', { bytes: await objects.get(ref) }, {});

  return {
    async open(ref) {
      const found = kept.get(ref);
      if (found) return found.data;
      const entry = { data: load(ref), bytes: 0 };
      kept.set(ref, entry);
      try {
        const data = await entry.data;
        entry.bytes = bytesOf(data);
        trim();
        return data;
      } catch (error) {
        kept.delete(ref);
        throw error;
      }
    },
    keep(ref, data) {
      kept.set(ref, { data: Promise.resolve(data), bytes: bytesOf(data) });
      trim();
    },
    forget(prefix) {
      for (const ref of kept.keys()) if (ref.startsWith(prefix)) kept.delete(ref);
    },
  };
}
