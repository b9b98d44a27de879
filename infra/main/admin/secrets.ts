import { ownerOf } from '../../contract/object-names.ts';
import { ObjectDamaged, type ObjectStore } from '../../drivers/objects/object-store.ts';
import type { Command } from './command.ts';

const atATime = 16;
const mostNamed = 50;

export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets rotate': {
    usage: '',
    options: {},
    async run({ renewSecrets }) {
      const { made, objects } = await renewSecrets();
      const { all, resealed, damaged, foreign, firstForeign } = await resealAll(objects);
      return {
        key_id: objects.keyId,
        new_key: made,
        objects: all,
        resealed,
        damaged: damaged.length,
        foreign,
        first_foreign: firstForeign,
        ...(damaged.length > 0 && { failed: damaged }),
      };
    },
  },
};

/**
 * Encrypts every object of the service with the newest key, in batches. Returns the numbers of objects and of encrypted
 * ones, the problems of objects that cannot be decrypted, and the number of other objects in the store. Objects of
 * others in a shared store are not read.
 */
async function resealAll(objects: Pick<ObjectStore, 'walk' | 'reseal'>) {
  const done = { all: 0, resealed: 0, damaged: [] as string[], foreign: 0, firstForeign: [] as string[] };
  const resealOne = async (name: string): Promise<void> => {
    done.all++;
    try {
      if (await objects.reseal(name)) done.resealed++;
    } catch (error) {
      if (!(error instanceof ObjectDamaged)) throw error;
      done.damaged.push(error.message);
    }
  };
  const names = objects.walk('')[Symbol.asyncIterator]();
  const next = async (): Promise<void> => {
    for (let found = await names.next(); !found.done; found = await names.next()) {
      const { name } = found.value;
      if (ownerOf(name)) await resealOne(name);
      else if (++done.foreign <= mostNamed) done.firstForeign.push(name);
    }
  };
  await Promise.all(Array.from({ length: atATime }, next));
  return done;
}
