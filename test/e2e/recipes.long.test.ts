import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 300_000 });

const root = fileURLToPath(new URL('../../', import.meta.url));
const git = (folder: string, args: string[], input?: string): string =>
  execFileSync('git', args, { cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 28 });

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'recipe-'));
  git(clone, ['clone', '--quiet', root, '.']);
  const changes = git(root, ['diff', '--binary', 'HEAD']);
  if (changes) git(clone, ['apply'], changes);
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Runs a command of the recipe in the clone. Fails with all that it printed. */
function run(command: string, environment: Record<string, string> = {}): void {
  const { TEST_LONG: _, VITEST: _vitest, ...own } = process.env;
  const path = `${join(root, 'node_modules/node/bin')}:${join(root, 'node_modules/.bin')}:${own['PATH']}`;
  const done = spawnSync('bash', ['-c', command], {
    cwd: clone,
    env: { ...own, ...environment, PATH: path },
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`${command} ended with ${done.status}\n${done.stdout}${done.stderr}`);
}

const apply = (name: string): string => git(clone, ['apply', join(root, 'test/e2e/recipes', `${name}.patch`)]);

it('a method is one row, and a recorded model of it', () => {
  apply('method');
  run('tsc --noEmit');
  run('vitest run --project unit test/ml/recorded-models.test.ts', { RECORD_MODELS: 'log-power-smooth' });
  run('vitest run --project slow test/ml/methods.slow.test.ts -t log-power-smooth');
  const added = git(clone, ['status', '--porcelain', '--untracked-files', 'test/recorded-models']);
  expect(added).toMatch(/^\?\? test\/recorded-models\/log-power-smooth@1\.short\.[0-9a-f]{8}\.cbor\.gz\n$/);
});

it('an error code and a response field are rows of their tables', () => {
  apply('error-and-field');
  run('node infra/main/client-types.ts');
  run('tsc --noEmit');
  run('vitest run --project unit test/unit/typescript-client-types.test.ts');
  run('vitest run --project stack test/spec/errors.test.ts test/spec/openapi.test.ts');
  expect(git(clone, ['diff', 'clients/typescript/src/types.ts'])).toContain('+  readonly class_count: number;');
});

it('a charge changes where CONTRIBUTING says', () => {
  apply('charge');
  run('tsc --noEmit');
  run('vitest run --project stack test/spec/task-models.test.ts test/spec/ledger-prices.test.ts');
});
