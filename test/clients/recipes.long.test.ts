import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newAccount, startTestApi } from '../support/api.ts';
import { fetchedTool, runTool, warnMissing } from '../support/fetched-tool.ts';
import { pythonClient, pythonEnvironment } from '../support/python-environment.ts';

const packages = ['moabb==1.7.2', 'pyriemann', 'mne-bids', 'pybv', 'pandas', 'httpx', 'rich', 'pytest'];

it('the recipes for MOABB, pyRiemann, MNE-BIDS and braindecode run', { timeout: 1_800_000 }, async ({ skip }) => {
  const fetched = await fetchedTool('python-moabb-1.7.2', async (folder) => {
    await runTool('python3', ['-m', 'venv', join(folder, 'venv')]);
    await runTool(join(folder, 'venv/bin/pip'), ['install', '--quiet', ...packages], { seconds: 900 });
  });
  const client = await pythonEnvironment();
  if ('missing' in fetched || !client) {
    warnMissing('MOABB', 'missing' in fetched ? fetched.missing : 'no Python');
    skip();
    return;
  }
  const api = await startTestApi();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { key } = await newAccount(api.database, { key: { mode: 'test' } });
  const { port } = api.app.server.address() as AddressInfo;
  const env = { ...client.env, EEG_BASE_URL: `http://127.0.0.1:${port}`, EEG_TEST_KEY: key };
  const python = join(fetched.folder, 'venv/bin/python');
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_server_recipes.py'];
  try {
    const { stdout } = await promisify(execFile)(python, args, { cwd: pythonClient, env, timeout: 900_000 });
    expect(stdout).toMatch(/7 passed/);
  } finally {
    await client.remove();
    await api.close();
  }
});
