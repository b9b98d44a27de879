import { objectPrefixes, ownerOf } from '../../contract/object-names.ts';
import type { ObjectStore } from '../../drivers/objects/object-store.ts';
import type { Found } from '../../drivers/objects/bytes.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { objectRights } from './stuck.ts';

/**
 * Objects without a row in the database, and whether they are so many that the store may belong to another database.
 */
export interface Orphans {
  /** Number of objects. */
  readonly objects: number;
  /** Their names, at most `mostNames` of them. */
  readonly names: readonly string[];
  /** Number of models that own them, and the first of these models. */
  readonly models: number;
  readonly firstModels: readonly string[];
  /** Objects younger than `before` without a row, or with one that is about to be written: nothing is known of them. */
  readonly young: number;
  /** Number of models with any object in the store. */
  readonly allModels: number;
  /** Why only a person may remove them; null: they are few. */
  readonly tooMany: string | null;
}

/**
 * Number of models whose objects may always be removed automatically, and the fraction of all models that applies if it
 * is larger.
 */
const few = 5;
const smallFraction = 0.02;
/** Most names that are kept in memory; the next run finds the rest again. */
const mostNames = 100_000;
const mostModelsNamed = 50;
/** Number of models in one query. */
const group = 1_000;

/** Kinds that a process may leave behind when it dies: they do not show which database the store belongs to. */
const passing: ReadonlySet<string> = new Set(['fits', 'answers']);

type Objects = Pick<ObjectStore, 'walk'>;

/**
 * Finds features, fits, fitted models and stored answers from before `before` without a row in the database. Younger
 * objects are skipped, because their row may be about to be written. Walks through the whole store, page by page.
 */
export async function findOrphans(
  { pool, objects }: { readonly pool: Sql; readonly objects: Objects },
  before: Date,
): Promise<Orphans> {
  const names: string[] = [];
  const firstModels: string[] = [];
  const count = { objects: 0, models: 0, allModels: 0, known: 0, hosted: 0, young: 0 };
  for await (const models of groupsOf(byModel(objects), group)) {
    const rights = await objectRights(pool, [...models.keys()]);
    count.allModels += models.size;
    count.known += rights.size;
    for (const [modelId, owned] of models) {
      const row = rights.get(modelId);
      const answers = new Set(row?.answers);
      const without = owned.filter(({ name }) => !answers.has(name) && !hasRow(name, row));
      const found = without.flatMap(({ name, modifiedAt }) => (modifiedAt < before ? name : []));
      count.young += without.length - found.length;
      if (found.length === 0) continue;
      count.models++;
      count.objects += found.length;
      count.hosted += found.filter((name) => !passing.has(ownerOf(name)?.kind ?? '')).length;
      names.push(...found.slice(0, mostNames - names.length));
      if (firstModels.length < mostModelsNamed) firstModels.push(modelId);
    }
  }
  const { objects: all, models, allModels, young } = count;
  return { objects: all, young, names, models, firstModels, allModels, tooMany: reasonForDoubt(count) };
}

type Rights = Awaited<ReturnType<typeof objectRights>> extends Map<string, infer Row> ? Row : never;

function hasRow(name: string, row: Rights | undefined): boolean {
  const kind = ownerOf(name)?.kind;
  if (row?.pending) return true;
  if (kind === 'batches') return row?.status === 'collecting';
  if (kind === 'models') return row?.status === 'active' && row.modelRef === name;
  return !passing.has(kind ?? '');
}

/** The objects of each model, in order of models; all kinds are listed in parallel. */
async function* byModel(objects: Objects): AsyncGenerator<[modelId: string, owned: Found[]]> {
  const walks = objectPrefixes.owned.map((prefix) => ofModels(objects.walk(prefix)));
  try {
    const heads = await Promise.all(walks.map((walk) => walk.next()));
    for (;;) {
      const ids = heads.flatMap((head) => (head.done ? [] : [head.value.modelId]));
      if (ids.length === 0) return;
      const id = ids.reduce((a, b) => (a < b ? a : b));
      const owned: Found[] = [];
      for (const [at, walk] of walks.entries())
        for (let head = heads[at]!; !head.done && head.value.modelId === id; head = heads[at]!) {
          owned.push(head.value);
          heads[at] = await walk.next();
        }
      yield [id, owned];
    }
  } finally {
    for (const walk of walks) await walk.return(undefined);
  }
}

/** Only objects that belong to a model: a shared bucket contains objects of others. */
async function* ofModels(walk: AsyncIterable<Found>): AsyncGenerator<Found & { readonly modelId: string }> {
  for await (const found of walk) {
    const modelId = ownerOf(found.name)?.modelId;
    if (modelId) yield { ...found, modelId };
  }
}

async function* groupsOf<K, V>(pairs: AsyncIterable<[K, V]>, size: number): AsyncGenerator<Map<K, V>> {
  let some = new Map<K, V>();
  for await (const [key, value] of pairs) {
    some.set(key, value);
    if (some.size < size) continue;
    yield some;
    some = new Map();
  }
  if (some.size > 0) yield some;
}

function reasonForDoubt({
  objects,
  models,
  allModels,
  known,
  hosted,
}: Readonly<Record<'objects' | 'models' | 'allModels' | 'known' | 'hosted', number>>): string | null {
  const most = Math.max(few, Math.floor(allModels * smallFraction));
  const many = models > most && `more than the ${most} that go by themselves`;
  const foreign = known === 0 && hosted > 0 && 'and the database knows none of the models in the store';
  const why = [many, foreign].filter(Boolean).join(', ');
  if (!why) return null;
  return (
    `${objects} objects of ${models} of ${allModels} models have no owner in the database, ${why}; ` +
    'none was removed. See that DATABASE_URL and OBJECT_STORE_URL belong together, then: ' +
    `npm run -s admin -- objects orphans --remove ${objects}`
  );
}
