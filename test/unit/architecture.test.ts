import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readRooms } from '../../import-rules.ts';
import config from '../../oxlint.config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** Lints `files` (text by name) as files of the project. Returns the lines that break `rule`, as `file:line`. */
function lint(rule: string, files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lint-'));
  try {
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '-f', 'unix', '.'], { cwd: folder, encoding: 'utf8' });
    const broken = stdout.split('\n').filter((line) => line.endsWith(`(${rule})]`));
    return broken.map((line) => /^.+?:\d+/.exec(line)![0]).sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const imports = (paths: readonly string[], type = ''): string =>
  paths.map((path, at) => `import ${type}{ a as a${at} } from '${path}';\n`).join('');

/** What a file may not import, and beside it what it may. */
const cases = [
  ['ml/linalg/a.ts', ['../signal/b.ts', '../../infra/contract/b.ts', 'node:fs', 'zod'], ['./b.ts', '../kernels/b.ts']],
  ['ml/methods/parts/a.ts', ['../../train/b.ts'], ['../b.ts', '../descent/b.ts', '../../rows.ts', '../../signal/b.ts']],
  ['ml/rows.ts', ['./kernels/b.ts'], ['./limits.ts']],
  ['infra/contract/a.ts', ['../drivers/b.ts', '../../api/contract/b.ts', 'pg'], ['../../ml/limits.ts', 'zod']],
  [
    'infra/drivers/postgres/a.ts',
    ['../../records/b.ts', '../../../ml/train/b.ts'],
    ['../b.ts', '../../observe/b.ts', 'pg'],
  ],
  [
    'infra/records/ledger/a.ts',
    ['../../../activities/b.ts', '../../drivers/temporal/b.ts', '@temporalio/client'],
    ['../accounts/b.ts', '../../drivers/postgres/b.ts', 'node:timers/promises', 'pg'],
  ],
  ['api/contract/a.ts', ['../app.ts', '../http/b.ts', 'fastify'], ['../../infra/contract/b.ts']],
  ['api/http/a.ts', ['../routes/b.ts', '../../ml/channels/b.ts'], ['../threads/b.ts', 'fastify', 'node:fs']],
  ['api/pages/a.ts', ['../account/b.ts', '../../clients/dashboard/b.ts'], ['./b.ts', '../../infra/contract/b.ts']],
  [
    'clients/dashboard/ui/a.tsx',
    ['../../../api/http/b.ts', '../../../infra/contract/lifecycle.ts', '../../../infra/records/b.ts', 'node:fs', 'zod'],
    ['../b.ts', '../../../infra/contract/limits.ts', 'preact/hooks'],
  ],
  [
    'activities/fit/a.ts',
    ['../../workflows/b.ts', '../../infra/main/b.ts'],
    ['../compute/b.ts', '../../ml/train/b.ts'],
  ],
  ['workflows/a.ts', ['../ml/limits.ts', 'node:crypto', '@temporalio/client'], ['@temporalio/workflow']],
  ['clients/typescript/src/a.ts', ['../../../infra/contract/b.ts', 'node:fs', 'zod'], ['./b.ts']],
] as const;

it('an import that the table does not name fails, and one that it names passes', () => {
  const files = cases.map(([file, forbidden, allowed]) => [file, imports([...forbidden, ...allowed])]);
  const expected = cases.flatMap(([file, forbidden]) => forbidden.map((_, at) => `${file}:${at + 1}`));
  expect(lint('no-restricted-imports', Object.fromEntries(files))).toEqual(expected.sort());
});

it('a room imports only types from folders in the types column', () => {
  const files = {
    'workflows/a.ts': ['../activities/fit/b.ts'],
    'infra/contract/a.ts': ['../../ml/evidence/b.ts'],
    'clients/dashboard/models/a.tsx': ['../../../api/contract/b.ts', 'zod'],
    'api/use-cases/zero-shot/a.ts': ['../../../ml/types.ts', '../../deps.ts'],
  };
  const lintWith = (type: string) =>
    lint(
      'no-restricted-imports',
      Object.fromEntries(Object.entries(files).map(([file, paths]) => [file, imports(paths, type)])),
    );
  expect(lintWith('type ')).toEqual([]);
  expect(lintWith('')).toHaveLength(6);
});

it('no folder of the product may import tests', () => {
  const isFree = /^(test|infra\/main|ml\/kernels\/assembly|clients\/typescript\/types)\b/;
  const sources = tracked.filter((name) => /\/.*\.tsx?$/.test(name) && !isFree.test(name));
  const folders = [...new Set(sources.map((name) => posix.dirname(name)))];
  const files = folders.map((folder) => [`${folder}/a.ts`, imports([posix.relative(folder, 'test/b.ts')])]);
  const broken = lint('no-restricted-imports', Object.fromEntries(files));
  expect(folders.filter((folder) => !broken.includes(`${folder}/a.ts:1`))).toEqual([]);
});

it('a table that names a room which does not exist is refused', () => {
  const table = (room: string) => `| room | may import |\n|---|---|\n| \`ml/linalg\` | \`${room}\` | | |\n\n`;
  expect(readRooms(table('ml/kernels'))).toHaveLength(1);
  expect(() => readRooms(table('ml/kernel'))).toThrow('no room is at ml/kernel');
});

it('only infra/drivers/config.ts reads process.env, and only programs that npm runs write to the console', () => {
  const names = ['infra/drivers/config.ts', 'infra/drivers/a.ts', 'infra/main/a.ts', 'ml/train/a.ts'];
  const files = Object.fromEntries(names.map((name) => [name, 'console.log(process.env);\n']));
  const at = (...places: string[]) => places.map((name) => `${name}:1`);
  expect(lint('no-process-env', files)).toEqual(at('infra/drivers/a.ts', 'infra/main/a.ts', 'ml/train/a.ts'));
  expect(lint('no-console', files)).toEqual(at('infra/drivers/a.ts', 'infra/drivers/config.ts', 'ml/train/a.ts'));
});

it('a file of the product has at most 300 lines', () => {
  const lines = (count: number): string => '\n'.repeat(count - 1) + 'export {};\n';
  expect(lint('max-lines', { 'ml/train/a.ts': lines(300), 'ml/train/b.ts': lines(302) })).toHaveLength(1);
});

it('the map in docs/architecture.md names every folder', () => {
  const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const deep = tracked.filter((name) => name.includes('/')).map((name) => dirname(name).split('/').slice(0, 2));
  const unnamed = new Set(deep.map((parts) => parts.at(-1)!).filter((name) => !map.includes(`\`${name}/\``)));
  expect([...unnamed].filter((name) => name !== '.ci')).toEqual([]);
});
