import type { FitRequest } from '../../infra/contract/fit-request.ts';
import type { Tools } from '../tools.ts';

/** Deletes every object under the prefixes, and what this process keeps of them. Idempotent. */
export async function removePrefixes(
  { objects, blobs, recent }: Pick<Tools, 'objects' | 'blobs' | 'recent'>,
  prefixes: readonly string[],
): Promise<void> {
  for (const kept of [blobs, recent]) for (const prefix of prefixes) kept.forget(prefix);
  await Promise.all(prefixes.map((prefix) => objects.deletePrefix(prefix)));
}

/** Deletes the staged signal of a job that has one. Idempotent. */
export async function deleteStaged({ objects }: Pick<Tools, 'objects'>, { source }: FitRequest): Promise<void> {
  if ('staged' in source) await objects.delete(source.staged);
}
