import { readWeights } from '../../weights/index.ts';
import type { Weights } from '../../weights/index.ts';
import { movementCard, movementId } from './card.ts';
import { networksFrom } from './networks.ts';
import type { Networks } from './networks.ts';
import { peopleFrom } from './people.ts';
import type { MovementPeople } from './people.ts';

/** Reads the file of the network with a SHA-256. Throws if it is not there or is another file. */
export type ReadWeights = (sha256: string) => Uint8Array;

let read: ReadWeights | null = null;
const loaded = new Map<string, Networks>();
let people: MovementPeople | null = null;

/** Sets how this thread reads the files of the network; called once, before the first use. */
export function provideMovementWeights(how: ReadWeights): void {
  read = how;
  loaded.clear();
  people = null;
}

function openFile(sha256: string, title: string): Weights {
  if (!read) throw new Error('This thread was given no weights of the movement network.');
  return readWeights(read(sha256), { file: `${title} of ${movementId}` });
}

/** The networks of weights with this SHA-256, read at the first use. Throws if the file is missing or has changed. */
export function movementNetworks(sha256: string): Networks {
  const before = loaded.get(sha256);
  if (before) return before;
  const networks = networksFrom(openFile(sha256, 'the weights'), movementCard);
  loaded.set(sha256, networks);
  return networks;
}

/** The sketches of the training people, read at the first use. Throws if the file is missing or has changed. */
export function movementPeople(): MovementPeople {
  people ??= peopleFrom(openFile(movementCard.people.sha256, 'the sketches'), movementCard);
  return people;
}
