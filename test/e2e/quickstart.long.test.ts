import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { outputsOf, scriptOf, snippetsOf } from '../support/snippets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let folder: string;
let clone: string;
let service: ChildProcess | null = null;
let written = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-quickstart-'));
  clone = join(folder, 'clone');
}, 60_000);
afterAll(async () => {
  if (service?.pid && service.exitCode === null) {
    const ended = new Promise((resolve) => service!.once('close', resolve));
    process.kill(-service.pid, 'SIGINT');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** The address that `npm start` prints. */
async function address(seconds: number): Promise<string> {
  for (const until = performance.now() + seconds * 1000; ; await sleep(100)) {
    const found = /API\s+(http:\S+)/.exec(written);
    if (found) return found[1];
    if (service!.exitCode !== null || performance.now() > until) throw new Error(`npm start said:\n${written}`);
  }
}

it(
  'the quickstart, from an empty clone, in order: a prediction within five minutes',
  { timeout: 600_000 },
  async () => {
    await run('git', ['clone', '--quiet', root, clone]);
    const began = performance.now();
    const env = childEnvironment({
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: undefined,
      TEMPORAL_ADDRESS: undefined,
      NODE_OPTIONS: undefined,
    });

    const [serve] = snippetsOf('quickstart', 'bash serve');
    expect(serve.trim().split('\n')).toEqual(['npm ci', 'npm start']);
    // What npm ci brings is here already.
    if (!existsSync(join(clone, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    service = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [service.stdout!, service.stderr!])
      stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
    const url = await address(240);

    // The address of the page is that of the usual port; here a free one was taken.
    const steps = [...snippetsOf('quickstart', 'bash setup'), ...snippetsOf('quickstart', 'sh')].map((code) =>
      code.replace('http://127.0.0.1:8080', url),
    );
    const { stdout } = await run('bash', ['-c', scriptOf(steps)], { cwd: clone, env, timeout: 300_000 });
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`\nThe quickstart took ${seconds.toFixed(1)} s from npm start to the last answer.\n`);

    const printed = outputsOf(stdout);
    expect(printed).toHaveLength(6);
    expect(Number(/[\d.]+$/.exec(printed[3].trim())![0])).toBeGreaterThan(0.7);
    expect(JSON.parse(printed[4]).data).toHaveLength(12);
    expect(JSON.parse(printed[5])).toMatchObject({ status: 'deleted' });
    expect(seconds).toBeLessThan(300);
  },
);
