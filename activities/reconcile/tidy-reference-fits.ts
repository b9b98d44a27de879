import { keptDays, removeUnusedFits } from '../../infra/records/reference-fits/unused-fits.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../activities.ts';

/** Removes unused fits on reference recordings, with their objects. */
export function createTidyReference({ pool, objects }: Tools): Activities['tidyReference'] {
  return async ({ at }) => {
    const { unused, outdated } = await removeUnusedFits({ pool, objects }, new Date(at));
    const healed = [
      [unused, `fits on reference recordings removed that nobody asked for in ${keptDays.unused} days`],
      [outdated, 'fits on reference recordings removed that were of other people or versions than today'],
    ] as const;
    return { healed: healed.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`), problems: [] };
  };
}
