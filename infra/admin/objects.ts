import { findOrphans } from '../records/fit-jobs/orphans.ts';
import type { Command } from './command.ts';
import { AdminError, whole } from './read.ts';

const hourMs = 3_600_000;
const mostShown = 50;

export const objectCommands: Readonly<Record<string, Command>> = {
  'objects orphans': {
    usage: '[--remove N]   (N: how many this command has printed)',
    options: { remove: { type: 'string' } },
    async run({ pool, objects, at }, o) {
      const store = await objects();
      const { names, models, allModels } = await findOrphans({ pool, objects: store }, new Date(at.getTime() - hourMs));
      const remove = whole(o, 'remove');
      if (remove !== undefined && remove !== names.length)
        throw new AdminError(
          `There are ${names.length} objects without an owner now, not ${remove}; none was removed.`,
        );
      if (remove !== undefined) for (const name of names) await store.delete(name);
      return {
        orphans: names.length,
        of_models: models.length,
        all_models: allModels,
        models: models.slice(0, mostShown),
        removed: remove ?? 0,
      };
    },
  },
};
