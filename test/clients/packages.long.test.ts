import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonClient, pythonEnvironment } from '../support/python-environment.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

const run = promisify(execFile);
const wheel = 'eeg_task_classifier-0.1.0-py3-none-any.whl';

let api: TestApi;
let url: string;
let work: string;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  work = await mkdtemp(join(tmpdir(), 'eeg-packages-'));
});
afterAll(async () => {
  await api.close();
  await rm(work, { recursive: true, force: true });
});

/** Metadata and files of a wheel, as Python reads them. */
const program = `
import email, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = sorted(wheel.namelist())
    metadata = email.message_from_bytes(wheel.read(next(each for each in names if each.endswith("METADATA"))))
    print(json.dumps({"names": names, "body": metadata.get_payload(), "head": sorted(metadata.items())}))
`;

describe('the packages that the service offers', { timeout: 900_000 }, () => {
  it('hold the wheel that hatchling builds, and pip installs it from the service', async ({ skip }) => {
    const environment = (await pythonEnvironment()) ?? skip();
    const { python } = environment;
    const flags = ['--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', work];
    await run(python, ['-m', 'pip', 'wheel', ...flags, pythonClient], { timeout: 200_000 });
    const served = join(work, 'served.whl');
    await writeFile(served, Buffer.from(await (await fetch(`${url}/clients/${wheel}`)).arrayBuffer()));
    const read = async (file: string): Promise<{ names: string[]; body: string; head: string[][] }> =>
      JSON.parse((await run(python, ['-c', program, file])).stdout);
    const [ours, theirs] = await Promise.all([read(served), read(join(work, wheel))]);
    expect(ours.names).toEqual(theirs.names);
    expect(ours.body).toBe(theirs.body);
    const canonical = (rows: string[][]): string[] =>
      rows
        .filter(([name]) => name !== 'Metadata-Version')
        .map((row) => row.join(': ').replaceAll(/[\s,]/g, ''))
        .sort();
    expect(canonical(ours.head)).toEqual(canonical(theirs.head));

    for (const source of [
      [`eeg-task-classifier @ ${url}/clients/${wheel}`],
      ['--find-links', `${url}/clients/`, '--no-index', 'eeg-task-classifier'],
    ]) {
      const target = await mkdtemp(join(work, 'target-'));
      await run(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', target, ...source]);
      const env = { ...process.env, PYTHONPATH: target };
      const { stdout } = await run(python, [join(target, 'bin/eeg-classifier'), '--help'], { env });
      expect(stdout).toContain('stream');
    }
    await environment.remove();
  });

  it('are installed by npm from the service, and run', async () => {
    const project = await mkdtemp(join(work, 'project-'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    const address = `${url}/clients/eeg-task-classifier-client-0.1.0.tgz`;
    await run('npm', ['install', '--no-audit', '--no-fund', address], { cwd: project });
    const code = "import { EegTaskClassifier } from 'eeg-task-classifier-client'; console.log(EegTaskClassifier.name)";
    expect((await run(process.execPath, ['-e', code], { cwd: project })).stdout).toBe('EegTaskClassifier\n');
  });

  it('are packed by npm in a folder without anything else', async () => {
    const bare = await mkdtemp(join(work, 'bare-'));
    const source = fileURLToPath(new URL('../../clients/typescript', import.meta.url));
    await cp(source, bare, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) });
    await run('npm', ['pack'], {
      cwd: bare,
      env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
    });
    expect(await readdir(bare)).toContain('eeg-task-classifier-client-0.1.0.tgz');
  });
});
