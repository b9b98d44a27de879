import type { Command } from './command.ts';

export const secretCommands: Readonly<Record<string, Command>> = {
  'secrets rotate': {
    usage: '',
    options: {},
    async run({ renewSecrets }) {
      const { made, objects } = await renewSecrets();
      const found = await objects.list('');
      let resealed = 0;
      for (const { name } of found) resealed += Number(await objects.reseal(name));
      return { key_id: objects.keyId, new_key: made, objects: found.length, resealed };
    },
  },
};
