import type { ObjectStore } from '../drivers/objects/index.ts';
import type { Command } from './command.ts';

const atATime = 16;

export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets rotate': {
    usage: '',
    options: {},
    async run({ renewSecrets }) {
      const { made, objects } = await renewSecrets();
      const [all, resealed] = await resealAll(objects);
      return { key_id: objects.keyId, new_key: made, objects: all, resealed };
    },
  },
};

/** Seals every object with the newest key, some at a time; how many there are, and how many were sealed. */
async function resealAll(objects: Pick<ObjectStore, 'walk' | 'reseal'>): Promise<[all: number, resealed: number]> {
  let [all, resealed] = [0, 0];
  const names = objects.walk('')[Symbol.asyncIterator]();
  const next = async (): Promise<void> => {
    for (let found = await names.next(); !found.done; found = await names.next()) {
      all++;
      if (await objects.reseal(found.value.name)) resealed++;
    }
  };
  await Promise.all(Array.from({ length: atATime }, next));
  return [all, resealed];
}
