import { filesOf, runsOf } from '../../contract/reference-data/data-sets.ts';
import type { DataSet, ReferenceTask } from '../../contract/reference-data/data-set-schema.ts';
import { peopleAtOnce } from '../../contract/reference-data/preparation.ts';

/**
 * What usually passes in a second, in bytes of recordings: of a folder all the time goes into features, a site is read
 * at the rate of a modest line. Measured on two cores.
 */
export const usualBytesPerSecond = { folder: 10e6, site: 1.5e6 } as const;

/** Seconds that a byte of a person keeps one of those who are prepared at the same time. */
export const usualSecondsPerByte = (inPlace: boolean): number =>
  peopleAtOnce / usualBytesPerSecond[inPlace ? 'folder' : 'site'];

/** Recordings of a task by published sizes; where none is published, a size of 5 MB is taken. */
export function bytesOfTask(set: DataSet, task: ReferenceTask): number {
  const files = filesOf(set, runsOf(task));
  const known = files.flatMap(({ bytes }) => bytes ?? []);
  const mean = known.length > 0 ? known.reduce((sum, bytes) => sum + bytes, 0) / known.length : 5e6;
  return mean * files.length;
}

/** What has been seen of a preparation. Bytes are those of whole people. */
export interface Seen {
  readonly usualSecondsPerByte: number;
  readonly people: number;
  readonly bytes: number;
  /** People whose features were computed in this preparation: their bytes and the sum of their seconds. */
  readonly computed: { readonly bytes: number; readonly seconds: number };
  /** People who are not done. */
  readonly left: { readonly people: number; readonly bytes: number; readonly runningSeconds: number };
}

/**
 * Seconds until all people are done: by the seconds for each byte of those who are, with one person at the usual rate
 * beside them, so that the first does not decide alone.
 */
export function secondsLeft({ usualSecondsPerByte: usual, people, bytes, computed, left }: Seen): number {
  if (left.people === 0) return 1;
  const one = people > 0 ? bytes / people : 0;
  const rate = one + computed.bytes > 0 ? (usual * one + computed.seconds) / (one + computed.bytes) : usual;
  const together = Math.min(peopleAtOnce, left.people);
  return Math.max(1, (rate * left.bytes - Math.min(left.runningSeconds, rate * left.bytes * 0.9)) / together);
}
