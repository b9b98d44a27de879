import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { fetchedTool, fromNpm, fromPyPI, runTool, warnMissing } from '../support/fetched-tool.ts';
import { base64, channels, createBody, labels, nested } from '../support/requests.ts';

const programs = fileURLToPath(new URL('./generated/', import.meta.url));
const trials = { x: base64(nested()), shape: [12, 3, 80], channels, labels };

let api: TestApi;
let url: string;
let key: string;
/** What the service answers without a generated client. */
let expected: object;
let work: string;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  ({ key } = await newAccount(api.database, { key: { mode: 'test' } }));
  const { x, shape } = trials;
  const post = (path: string, body: object): Promise<Reply> =>
    send(api.app, key, 'POST', `/v1/task-models${path}`, body);
  const { id, training_report: report } = (await post('', createBody({ x, shape }))).body;
  const { data } = (await post(`/${id}/predictions`, { x, shape, channels, sampling_rate_hz: 100, units: 'uV' })).body;
  expected = {
    score: report.balanced_accuracy,
    scored: report.methods.filter(({ status }: { status: string }) => status === 'scored').length,
    labels: data.map(({ label }: { label: string }) => label),
    probabilities: data.map(({ label, probabilities }: any) => expect.closeTo(probabilities[label], 6)),
  };
  work = await mkdtemp(join(tmpdir(), 'eeg-generated-'));
  await writeFile(join(work, 'openapi.json'), (await send(api.app, null, 'GET', '/openapi.json')).text);
});
afterAll(async () => {
  await api.close();
  await rm(work, { recursive: true, force: true });
});

/** What a program of a generated client prints: its answers as JSON. */
async function answersOf(program: string, args: readonly string[], cwd: string): Promise<unknown> {
  const env = { EEG_BASE_URL: url, EEG_API_KEY: key, EEG_TRIALS: JSON.stringify(trials) };
  return JSON.parse(await runTool(program, args, { cwd, env }));
}

describe('a client made from /openapi.json as it is served', () => {
  it('by openapi-python-client is typed, creates and predicts', { timeout: 900_000 }, async ({ skip }) => {
    const packages = ['openapi-python-client==0.29.1', 'mypy==2.4.1', 'httpx==0.28.1', 'attrs==26.1.0'];
    const tool = await fetchedTool('openapi-python-client-0.29.1', fromPyPI(...packages));
    if ('missing' in tool) {
      warnMissing('openapi-python-client', tool.missing);
      skip();
      return;
    }
    const bin = join(tool.folder, 'bin');
    const args = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'eeg_generated'];
    const said = await runTool(join(bin, 'openapi-python-client'), args, { cwd: work });
    expect(said).not.toMatch(/Unable|Unsupported|Cannot|Invalid/i);
    await copyFile(join(programs, 'program.py'), join(work, 'program.py'));
    await runTool(join(bin, 'mypy'), ['--strict', '--follow-imports=silent', 'program.py'], { cwd: work });
    await runTool(join(bin, 'mypy'), ['eeg_generated'], { cwd: work });
    expect(await answersOf(join(bin, 'python'), ['program.py'], work)).toEqual(expected);
  });

  it('by openapi-typescript is typed, creates and predicts', { timeout: 900_000 }, async ({ skip }) => {
    const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24.19.2'];
    const tool = await fetchedTool('openapi-typescript-7.13.0', fromNpm(...packages));
    if ('missing' in tool) {
      warnMissing('openapi-typescript', tool.missing);
      skip();
      return;
    }
    const modules = join(tool.folder, 'node_modules');
    await symlink(modules, join(work, 'node_modules'));
    // Fields that have a default may be left out of a request.
    const args = ['openapi.json', '-o', 'openapi.ts', '--default-non-nullable=false'];
    await runTool(process.execPath, [join(modules, 'openapi-typescript/bin/cli.js'), ...args], { cwd: work });
    await copyFile(join(programs, 'program.ts.txt'), join(work, 'program.mts'));
    const strict = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--allowImportingTsExtensions',
    ];
    await runTool(process.execPath, [join(modules, 'typescript/bin/tsc'), ...strict, 'program.mts'], { cwd: work });
    expect(await answersOf(process.execPath, ['program.mts'], work)).toEqual(expected);
  });

  it('by oapi-codegen in Go is typed, creates and predicts', { timeout: 900_000 }, async ({ skip }) => {
    const tool = await fetchedTool('oapi-codegen-2.8.0', async (folder) => {
      const module = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.0';
      await runTool('go', ['install', module], { env: { GOBIN: folder, GOFLAGS: '-modcacherw' }, seconds: 500 });
      await runTool('go', ['mod', 'init', 'example.org/eeg'], { cwd: folder });
      await runTool('go', ['get', 'github.com/oapi-codegen/runtime@v1.6.0'], { cwd: folder });
    });
    if ('missing' in tool) {
      warnMissing('oapi-codegen', tool.missing);
      skip();
      return;
    }
    const { folder } = tool;
    for (const name of ['go.mod', 'go.sum']) await copyFile(join(folder, name), join(work, name));
    const args = ['-generate', 'types,client', '-package', 'main', '-o', 'client.go', 'openapi.json'];
    await runTool(join(folder, 'oapi-codegen'), args, { cwd: work });
    await copyFile(join(programs, 'program.go'), join(work, 'program.go'));
    await runTool('go', ['vet', '.'], { cwd: work, seconds: 500 });
    expect(await answersOf('go', ['run', '.'], work)).toEqual(expected);
  });
});
