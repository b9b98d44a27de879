import type { HeldWeights } from './sessions.ts';

/** What tells a loaded encoder from another: its weights, and the version of its graphs. */
export const keyOf = ({ id, hash, version }: Pick<HeldWeights, 'id' | 'hash' | 'version'>): string =>
  `${id}@${version ?? 'current'}@${hash}`;
