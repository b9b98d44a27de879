import type { FitRequest } from '../../infra/contract/fit-request.ts';
import type { Tools } from '../tools.ts';

/** Deletes every object under the prefixes. Idempotent. */
export async function removePrefixes({ objects }: Pick<Tools, 'objects'>, prefixes: readonly string[]): Promise<void> {
  await Promise.all(prefixes.map((prefix) => objects.deletePrefix(prefix)));
}

/** Deletes the staged signal of a job that has one. Idempotent. */
export async function deleteStaged({ objects }: Pick<Tools, 'objects'>, { source }: FitRequest): Promise<void> {
  if ('staged' in source) await objects.delete(source.staged);
}
