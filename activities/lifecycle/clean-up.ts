import type { Tools } from '../tools.ts';

/** Deletes every object under the prefixes, and what this process keeps of them. Idempotent. */
export async function removePrefixes(
  { objects, blobs }: Pick<Tools, 'objects' | 'blobs'>,
  prefixes: readonly string[],
): Promise<void> {
  for (const prefix of prefixes) blobs.forget(prefix);
  await Promise.all(prefixes.map((prefix) => objects.deletePrefix(prefix)));
}
