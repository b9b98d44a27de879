import { objectPrefixes, ownerOf } from '../../contract/object-names.ts';
import type { ObjectStore } from '../../drivers/objects/index.ts';
import type { Sql } from '../../drivers/postgres/index.ts';
import { objectRights } from './stuck.ts';

/** Objects that no row speaks for, and whether they are so many that the store may not belong to this database. */
export interface Orphans {
  readonly names: readonly string[];
  /** Models that own them. */
  readonly models: readonly string[];
  /** Models that own any object that was looked at. */
  readonly allModels: number;
  /** Why no more than a person may remove them; null: they are few. */
  readonly tooMany: string | null;
}

/** Models whose objects may always go at once, and the share of all models where that is more. */
const few = 5;
const smallShare = 0.02;

/**
 * Features, fits and fitted models written before `before` that no row speaks for. Younger ones are left: their row may
 * be about to be written.
 */
export async function findOrphans(
  { pool, objects }: { readonly pool: Sql; readonly objects: Pick<ObjectStore, 'list'> },
  before: Date,
): Promise<Orphans> {
  const found = (await Promise.all(objectPrefixes.owned.map((prefix) => objects.list(prefix))))
    .flat()
    .filter(({ modifiedAt }) => modifiedAt < before)
    .map(({ name }) => name);
  const owners = modelsOf(found);
  const rights = await objectRights(pool, owners);
  const names = found.filter((name) => {
    const { kind, modelId } = ownerOf(name);
    const row = rights.get(modelId);
    if (row?.pending) return false;
    if (kind === 'batches') return row?.status !== 'collecting';
    if (kind === 'models') return row?.status !== 'active' || row.modelRef !== name;
    return kind === 'fits';
  });
  const models = modelsOf(names);
  return { names, models, allModels: owners.length, tooMany: doubt(names, models, owners, rights.size) };
}

const modelsOf = (names: readonly string[]): string[] => [...new Set(names.map((name) => ownerOf(name).modelId))];

function doubt(
  names: readonly string[],
  models: readonly string[],
  owners: readonly string[],
  known: number,
): string | null {
  const most = Math.max(few, Math.floor(owners.length * smallShare));
  const many = models.length > most && `more than the ${most} that go by themselves`;
  const stranger =
    known === 0 &&
    names.some((name) => ownerOf(name).kind !== 'fits') &&
    'and the database knows none of the models in the store';
  const why = [many, stranger].filter(Boolean).join(', ');
  if (!why) return null;
  return (
    `${names.length} objects of ${models.length} of ${owners.length} models have no owner in the database, ${why}; ` +
    'none was removed. See that DATABASE_URL and OBJECT_STORE_URL belong together, then: ' +
    `npm run -s admin -- objects orphans --remove ${names.length}`
  );
}
