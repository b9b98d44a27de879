import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { newAccount, newKey, startTestApi, type TestApi } from '../support/api.ts';
import { pythonClient, pythonEnvironment, type PythonEnvironment } from '../support/python-environment.ts';
import { dataFolder } from '../support/recordings.ts';
import { createTestDesk } from '../support/reference-desk.ts';
import { storeReferenceFit } from '../support/reference-fit.ts';

const run = promisify(execFile);

let environment: PythonEnvironment | null = null;
beforeAll(async () => {
  environment = await pythonEnvironment();
}, 900_000);
afterAll(() => environment?.remove());

/** Runs a module of Python in the client's folder; what it wrote, also where it failed. */
async function python(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: pythonClient, env: { ...environment!.env, ...more }, timeout: 560_000, maxBuffer: 1 << 26 };
  return await run(environment!.python, ['-m', ...args], options).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => `FAILED ${error.stdout}\n${error.stderr}`,
  );
}
/** Tests that need a machine without other work, or more packages. */
const ignored = ['stream', 'recipes'].map((each) => `--ignore=tests/test_server_${each}.py`);
const pytest = ['pytest', '-q', '-p', 'no:cacheprovider'];
/** The test of streams with that word in its name. */
const stream = (name: string): string[] => [...pytest, '-s', 'tests/test_server_stream.py', '-k', name];

describe('the Python client', { timeout: 600_000 }, () => {
  let api: TestApi;
  beforeAll(async () => {
    const reference = createTestDesk();
    reference.preparationIs({ status: 'ready' });
    api = await startTestApi({ reference });
    reference.fitIs({ status: 'ready', result: await storeReferenceFit(api.deps.objects, ['O1', 'Oz', 'O2']) });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => api.close());

  /** Environment for a new account with more credit. */
  async function serviceOf(usd: number): Promise<NodeJS.ProcessEnv> {
    const { accountId, key } = await newAccount(api.database);
    const { key: testKey } = await newKey(api.database, accountId, { mode: 'test' });
    const more = { accountId, amount: BigInt(usd) * 1_000_000n, source: 'operator', at: new Date() } as const;
    if (usd > 0) await transaction(api.database.pool, (sql) => credit(sql, more));
    return {
      EEG_BASE_URL: `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`,
      EEG_LIVE_KEY: key,
      EEG_TEST_KEY: testKey,
      EEG_DATA: dataFolder,
    };
  }

  it('predicts an hour of samples at more than 20 times speed', async ({ skip }) => {
    if (!environment) skip();
    const output = await python(stream('hour'), await serviceOf(0));
    expect(output).toMatch(/1 passed/);
    process.stdout.write(`${output.match(/an hour of .*/)?.[0]}\n`);
  });

  it("passes its own tests, scikit-learn's checks of an estimator among them", async ({ skip }) => {
    if (!environment) skip();
    const output = await python([...pytest, '-m', 'not server', ...ignored]);
    expect(output).not.toMatch(/FAILED|error/);
    expect(Number(output.match(/(\d+) passed/)?.[1])).toBeGreaterThan(120);
  });

  it('is typed strictly, tidy, and says so', async ({ skip }) => {
    const { env } = environment ?? skip();
    const types = await python(['mypy', '--cache-dir', '/dev/null']);
    expect(types).toMatch(/^Success: no issues found in \d+ source files/);
    expect(await python(['ruff', 'check', '--no-cache'])).toContain('All checks passed!');
    expect(await python(['ruff', 'format', '--check', '--no-cache'])).not.toContain('FAILED');
    expect(existsSync(join(env['PYTHONPATH']!, 'eeg_task_classifier', 'py.typed'))).toBe(true);
  });

  it('fits, predicts and cross-validates MNE Epochs of real recordings, by code and by command', async ({ skip }) => {
    if (!environment) skip();
    const recording = join(dataFolder, 'eegmmidb/1.0.0/S001/S001R12.edf');
    if (!existsSync(recording)) {
      process.stderr.write(`\nSKIPPED: the Python client on real recordings, since ${recording} is missing\n`);
      skip();
    }
    const output = await python([...pytest, '-m', 'server', '--durations=5', ...ignored], await serviceOf(100));
    expect(output).not.toMatch(/FAILED|skipped/);
    expect(Number(output.match(/(\d+) passed/)?.[1])).toBeGreaterThan(20);
    const { problems } = await checkLedger(api.database.pool);
    expect(problems).toEqual([]);
    expect(api.logged).toEqual([]);
  });

  it('predicts a minute in real time within 60 ms', async ({ skip }) => {
    if (!environment) skip();
    const more = { ...(await serviceOf(0)), EEG_STREAM_SECONDS: '60' };
    const output = await python(stream('delay'), more);
    expect(output).toMatch(/1 passed/);
    process.stdout.write(`${output.match(/delay of .*/)?.[0]}\n`);
  });
});
