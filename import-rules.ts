import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/**
 * A row of the table of rooms in docs/folders.md. A room is a folder, or the files directly in a folder (`ml/*.ts`).
 * `packages` is null where the room may import every package.
 */
interface Room {
  name: string;
  values: string[];
  types: string[];
  packages: string[] | null;
}

/** Folders below a room that the rules reach. */
const depths = [0, 1, 2, 3, 4, 5];

const filesOf = '/*.ts';
const folderOf = (name: string): string => name.replace(filesOf, '');
const isPackage = (name: string): boolean => !existsSync(new URL(name.split('/')[0]!, import.meta.url));

/** `ml/{signal,weights}` names `ml/signal` and `ml/weights`. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text]) => {
    const [, before, alternatives] = /^(.*)\{(.+)\}$/.exec(text!) ?? [];
    return alternatives ? alternatives.split(',').map((each) => before! + each) : [text!];
  });
}

/**
 * Reads the table. Throws if it names a folder or file that does not exist. Rooms that may import everything are left
 * out.
 */
export function readRooms(markdown: string): Room[] {
  const rows = markdown.slice(markdown.indexOf('| room |')).split('\n\n')[0]!.trimEnd().split('\n').slice(2);
  const rooms = rows.flatMap((row) => {
    const [, names, values, types, packages] = row.split('|').map((cell) => cell.trim());
    if (values === 'everything') return [];
    return namesIn(names!).map((name) => ({
      name,
      values: namesIn(values!),
      types: namesIn(types!),
      packages: packages === 'any' ? null : namesIn(packages!),
    }));
  });
  const named = rooms.flatMap(({ name, values, types }) => [name, ...values, ...types]);
  const missing = named.find((name) => !isPackage(name) && !existsSync(new URL(folderOf(name), import.meta.url)));
  if (missing || rooms.length === 0) throw new Error(`docs/folders.md: no room is at ${missing}. Correct its table.`);
  return rooms;
}

/** How a file in the folder `from` imports what stands at `to`. */
function pathTo(from: string, to: string): string {
  if (isPackage(to)) return to;
  const path = posix.relative(from, to) || '.';
  return path.startsWith('.') ? path : `./${path}`;
}

/** Patterns of these rooms, files and packages in the syntax of `no-restricted-imports`. */
function patternsTo(from: string, names: string[]): string[] {
  return names.flatMap((name) => {
    const path = pathTo(from, name);
    if (path.endsWith('..')) return [`${path}/[!.]*`, `${path}/[!.]*/**`];
    return name.endsWith('.ts') ? [path] : [path, `${path}/**`];
  });
}

/** The rule for files that are `depth` folders below a room. */
function overrideFor({ name, values, types, packages }: Room, depth: number) {
  const folder = folderOf(name);
  const below = depths.slice(0, depth + 1).map((each) => folder + '/_'.repeat(each));
  const from = below.at(-1)!;
  const own = name === folder ? patternsTo(from, below) : ['./*'];
  const open = [...own, ...patternsTo(from, [...values, ...types, ...(packages ?? [])])];
  const closed = {
    group: [...(packages ? ['**'] : ['./**', '../**']), ...open.map((each) => `!${each}`)],
    message: `${name} may not import this. See the table of rooms in docs/folders.md.`,
  };
  const typesOnly = types.map((each) => ({
    regex: `^${pathTo(from, each).replaceAll('.', '\\.')}(/|$)`,
    message: `${name} may import only types of this. See the table of rooms in docs/folders.md.`,
    allowTypeImports: true,
  }));
  // oxlint stops at the first pattern that makes an exception for an import, so `closed` comes last.
  const patterns = [...typesOnly, closed];
  return {
    files: [`${folder}${'/*'.repeat(depth)}/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] as ['error', { patterns: typeof patterns }] },
  };
}

/** Overrides that hold the table of rooms in docs/folders.md. */
export function importRules() {
  const rooms = readRooms(readFileSync(new URL('docs/folders.md', import.meta.url), 'utf8'));
  return rooms.flatMap((room) => (room.name.endsWith(filesOf) ? [0] : depths).map((depth) => overrideFor(room, depth)));
}
