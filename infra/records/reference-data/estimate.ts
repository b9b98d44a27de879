import { filesOf, runsOf } from '../../contract/reference-data/data-sets.ts';
import type { DataSet, ReferenceTask } from '../../contract/reference-data/data-set-schema.ts';
import { peopleAtOnce } from '../../contract/reference-data/preparation.ts';

/**
 * Usual bytes of recordings per second. From a folder, all time goes into features; from a site, a modest connection is
 * assumed. Measured on two cores.
 */
const usualBytesPerSecond = { folder: 10e6, site: 1.5e6 } as const;

/** Seconds per byte of one person, with several people prepared in parallel. */
export const usualSecondsPerByte = (inPlace: boolean): number =>
  peopleAtOnce / usualBytesPerSecond[inPlace ? 'folder' : 'site'];

/** Sizes of the recordings of a task; 5 MB if no size is published. */
export function bytesOfTask(set: DataSet, task: ReferenceTask): number {
  const files = filesOf(set, runsOf(task));
  const known = files.flatMap(({ bytes }) => bytes ?? []);
  const mean = known.length > 0 ? known.reduce((sum, bytes) => sum + bytes, 0) / known.length : 5e6;
  return mean * files.length;
}

/** Observed progress of a preparation. Bytes are those of whole people. */
export interface Seen {
  readonly usualSecondsPerByte: number;
  readonly people: number;
  readonly bytes: number;
  /** People whose features this preparation computed: their bytes and the sum of their seconds. */
  readonly computed: { readonly bytes: number; readonly seconds: number };
  /** Bytes of the people who are not done. */
  readonly left: { readonly people: number; readonly bytes: number; readonly runningSeconds: number };
}

/**
 * Seconds until all people are done, from the seconds per byte of finished people. One person at the usual rate is
 * added to them, so that the first person does not decide alone.
 */
export function secondsLeft({ usualSecondsPerByte: usual, people, bytes, computed, left }: Seen): number {
  if (left.people === 0) return 1;
  const one = people > 0 ? bytes / people : 0;
  const rate = one + computed.bytes > 0 ? (usual * one + computed.seconds) / (one + computed.bytes) : usual;
  const together = Math.min(peopleAtOnce, left.people);
  return Math.max(1, (rate * left.bytes - Math.min(left.runningSeconds, rate * left.bytes * 0.9)) / together);
}
