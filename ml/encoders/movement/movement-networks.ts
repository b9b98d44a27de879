import { readWeights } from '../../weights/index.ts';
import { movementCard, movementId } from './card.ts';
import { networksFrom } from './networks.ts';
import type { Networks } from './networks.ts';

/** Reads the file of weights with a SHA-256. Throws if it is not there or is another file. */
export type ReadWeights = (sha256: string) => Uint8Array;

let read: ReadWeights | null = null;
const loaded = new Map<string, Networks>();

/** Sets how this thread reads the weights of the network; called once, before the first use. */
export function provideMovementWeights(how: ReadWeights): void {
  read = how;
  loaded.clear();
}

/** The networks of weights with this SHA-256, read at the first use. Throws if the file is missing or has changed. */
export function movementNetworks(sha256: string): Networks {
  const before = loaded.get(sha256);
  if (before) return before;
  if (!read) throw new Error('This thread was given no weights of the movement network.');
  const networks = networksFrom(readWeights(read(sha256), { file: `the weights of ${movementId}` }), movementCard);
  loaded.set(sha256, networks);
  return networks;
}
