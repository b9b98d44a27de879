import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-embedded-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const settings = { fsync: 'off' };
const module = new URL('../../infra/embedded/postgres.ts', import.meta.url).href;

async function eventually<T>(fn: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + 20_000; ; await sleep(50)) {
    try {
      return await fn();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const pool = createPool(url, { max: 1 });
  try {
    return (await pool.query(text)).rows;
  } finally {
    await pool.end();
  }
}

test('data survives a stop, a kill -9 of the server and a kill -9 of its owner; the port stays', async () => {
  const dir = join(folder, 'kept');
  const first = await startEmbeddedPostgres({ dir, settings });
  await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');
  const pid = first.pid;
  process.kill(pid, 'SIGKILL');
  expect(await eventually(async () => await ask(first.url, 'SELECT n FROM kept'))).toEqual([{ n: 1 }]);
  await eventually(async () => expect(first.pid).not.toBe(pid));
  await first.stop();

  const script = `import { startEmbeddedPostgres } from ${JSON.stringify(module)};
    const { pid } = await startEmbeddedPostgres({ dir: ${JSON.stringify(dir)}, settings: { fsync: 'off' } });
    process.stdout.write(String(pid)); setInterval(() => 0, 1000);`;
  await writeFile(join(folder, 'owner.mjs'), script);
  const owner = spawn(process.execPath, [join(folder, 'owner.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [orphan] = (await once(owner.stdout, 'data')).map((chunk) => Number(String(chunk)));
  await expect(startEmbeddedPostgres({ dir, settings })).rejects.toThrow(`in use by process ${owner.pid}`);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  expect(() => process.kill(orphan!, 0)).not.toThrow();

  const said: string[] = [];
  const last = await startEmbeddedPostgres({ dir, settings, log: (line) => said.push(line) });
  expect(said.join()).toContain(`process ${orphan}`);
  expect(last.url).toBe(first.url);
  expect(await ask(last.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  await last.stop();
});

test('a stale lock file with the id of another program does not prevent the start', async () => {
  const dir = join(folder, 'stale');
  await (await startEmbeddedPostgres({ dir, settings })).stop();
  await writeFile(join(dir, 'cluster', 'postmaster.pid'), `${process.pid}\n${join(dir, 'cluster')}\n`);
  const again = await startEmbeddedPostgres({ dir, settings });
  expect(again.pid).not.toBe(process.pid);
  await again.stop();
});

test('the server ends when its owner ends without stopping it', async () => {
  const script = `import { startEmbeddedPostgres } from ${JSON.stringify(module)};
    const { pid } = await startEmbeddedPostgres({ dir: ${JSON.stringify(join(folder, 'stale'))}, settings: { fsync: 'off' } });
    console.log(pid);`;
  await writeFile(join(folder, 'leaves.mjs'), script);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'leaves.mjs')]);
  const pid = Number(stdout);
  await eventually(async () => {
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

test('two servers run at once, each on its own port', async () => {
  const [a, b] = await Promise.all(
    ['one', 'two'].map(async (name) => await startEmbeddedPostgres({ dir: join(folder, name), settings })),
  );
  expect(a!.url).not.toBe(b!.url);
  await Promise.all([a!.stop(), b!.stop()]);
});
