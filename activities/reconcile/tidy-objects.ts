import { minuteMs } from '../../infra/contract/limits.ts';
import { findOrphans } from '../../infra/records/fit-jobs/orphans.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../activities.ts';
import { counted } from './counted.ts';

/** A younger object may still be in the middle of a write. */
const youngMs = 60 * minuteMs;

/** Runs daily over the whole object store. Removes objects without a row, unless there are suspiciously many. */
export function createTidyObjects({ pool, objects }: Tools): Activities['tidyObjects'] {
  return async ({ at }) => {
    const before = new Date(at - youngMs);
    const { names, tooMany } = await findOrphans({ pool, objects }, before);
    if (!tooMany) await objects.deleteAll(names);
    return {
      healed: counted([[tooMany ? 0 : names.length, 'objects without an owner removed']]),
      problems: tooMany ? [tooMany] : [],
    };
  };
}
