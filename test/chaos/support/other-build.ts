import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oneMoreMigration } from '../../support/one-more-migration.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
/** What the service runs from, as in the container file. */
const rooms = [
  'activities',
  'api',
  'infra',
  'ml',
  'workflows',
  'clients',
  'docs/movement-network.md',
  'package.json',
  'tsconfig.json',
];

/** Copies this checkout into `folder`, with one more migration and one more step of each fit. */
export async function makeOtherBuild(folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...rooms],
    { cwd: checkout, maxBuffer: 16 * 1024 * 1024 },
  );
  for (const path of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(checkout, path), join(folder, path));
  }
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'infra/drivers/postgres/migrations', oneMoreMigration.name), oneMoreMigration.text);
  await edit(join(folder, 'workflows/fit-task-model.ts'), [
    ['  const outcome = await', `  if (patched('one-more')) await sleep('200 ms');\n  const outcome = await`],
    ['  proxyActivities,\n', '  patched,\n  proxyActivities,\n  sleep,\n'],
  ]);
}

async function edit(file: string, changes: readonly (readonly [string, string])[]): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const [before, after] of changes) {
    if (!text.includes(before)) throw new Error(`${file} does not hold "${before.trim()}" any more.`);
    text = text.replace(before, after);
  }
  await writeFile(file, text);
}
