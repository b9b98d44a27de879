import { hourMs } from '../../contract/limits.ts';
import { findOrphans } from '../../records/fit-jobs/orphans.ts';
import type { Command } from './command.ts';
import { AdminError, whole } from './options.ts';

export const objectCommands: Readonly<Record<string, Command>> = {
  'objects orphans': {
    usage: '[--remove N]   (N: how many this command has printed)',
    options: { remove: { type: 'string' } },
    async run({ pool, objects, at }, o) {
      const store = await objects();
      const {
        objects: found,
        names,
        models,
        firstModels,
        allModels,
        young,
      } = await findOrphans({ pool, objects: store }, new Date(at.getTime() - hourMs));
      const remove = whole(o, 'remove');
      if (remove !== undefined && remove !== found)
        throw new AdminError(`There are ${found} objects without an owner now, not ${remove}; none was removed.`);
      if (remove !== undefined) await store.deleteAll(names);
      return {
        orphans: found,
        younger_than_an_hour: young,
        of_models: models,
        all_models: allModels,
        models: firstModels,
        removed: remove === undefined ? 0 : names.length,
      };
    },
  },
};
