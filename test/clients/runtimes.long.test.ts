import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, startTestApi, type TestApi } from '../support/api.ts';
import { fetchedTool, fromNpm, runTool, warnMissing } from '../support/fetched-tool.ts';
import { base64, channels, labels, nested } from '../support/requests.ts';
import { snippetsOf } from '../support/readme-snippets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'clients/typescript');
const specifier = 'eeg-task-classifier-client';

/** A program that creates, predicts in two ways and deletes, and says what it saw. */
const program = `
import { EegTaskClassifier, EegError, type CreateInput } from '${specifier}';
const trials = ${JSON.stringify({ channels, labels, sampling_rate_hz: 100 })};
const bytes = Uint8Array.from(atob('${base64(nested())}'), (character) => character.charCodeAt(0));
const signal = { x: new Float32Array(bytes.buffer), shape: [12, 3, 80], units: 'uV' as const };
const { labels, ...rest } = trials;
const input: CreateInput = { ...signal, ...rest, labels, description: 'imagined movement: left hand or right hand' };
const eeg = new EegTaskClassifier();
const model = await eeg.create(input, { maxUsd: 2 });
const { data } = await eeg.predict(model, { ...signal, ...rest });
await eeg.models.delete(model);
const gone: unknown = await eeg.models.get(model).catch((error: unknown) => error);
const score: number = model.training_report!.balanced_accuracy;
console.log(JSON.stringify({ score, labels: data.length, code: gone instanceof EegError ? gone.code : null }));
`;

let api: TestApi;
let env: Record<string, string>;
let work: string;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { key } = await newAccount(api.database, { key: { mode: 'test' } });
  const port = (api.app.server.address() as AddressInfo).port;
  env = { EEG_API_KEY: key, EEG_BASE_URL: `http://127.0.0.1:${port}` };
  work = await mkdtemp(join(tmpdir(), 'eeg-runtimes-'));
  const here = program.replace(specifier, join(source, 'src/index.ts'));
  await writeFile(join(work, 'program.ts'), here);
});
afterAll(async () => {
  await api.close();
  await rm(work, { recursive: true, force: true });
});

const expected = { score: expect.any(Number), labels: 12, code: 'CLASSIFIER_NOT_FOUND' };
const answers = async (file: string, args: readonly string[], cwd = work): Promise<unknown> =>
  JSON.parse(await runTool(file, args, { cwd, env }));

describe('the TypeScript client, as it is written,', () => {
  it('runs in Node', async () => {
    expect(await answers(process.execPath, ['program.ts'])).toEqual(expected);
  });

  it.for([
    { name: 'Bun', tool: 'bun', version: '1.4.5', args: ['run', 'program.ts'] },
    {
      name: 'Deno',
      tool: 'deno',
      version: '2.9.6',
      args: ['run', '--allow-net=127.0.0.1', '--allow-env', '--allow-read', '--no-lock', 'program.ts'],
    },
  ])('runs in $name', { timeout: 600_000 }, async ({ name, tool, version, args }, { skip }) => {
    const fetched = await fetchedTool(`${tool}-${version}`, async (folder) => {
      await fromNpm(`${tool}@${version}`)(folder);
      await runTool(join(folder, 'node_modules/.bin', tool), ['--version']);
    });
    if ('missing' in fetched) {
      warnMissing(name, fetched.missing);
      skip();
      return;
    }
    const file = join(fetched.folder, 'node_modules/.bin', tool);
    expect(await answers(file, args)).toEqual(expected);
    if (tool === 'deno') await runTool(file, ['check', '--no-lock', 'program.ts'], { cwd: work, env });
  });
});

describe('the package, as it is published,', () => {
  it(
    'is built and packed, installs into an empty project, runs in Node and has types',
    { timeout: 600_000 },
    async () => {
      const copy = join(work, 'source');
      await cp(source, copy, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) });
      await runTool('npm', ['run', 'build'], {
        cwd: copy,
        env: { PATH: `${join(process.execPath, '..')}:${process.env['PATH']}` },
      });
      await runTool('npm', ['pack', '--ignore-scripts', '--pack-destination', work], { cwd: copy });
      const [archive] = (await readdir(work)).filter((name) => name.endsWith('.tgz'));
      const project = await mkdtemp(join(work, 'project-'));
      await writeFile(join(project, 'package.json'), '{ "type": "module" }');
      await runTool('npm', ['install', '--offline', '--no-audit', '--no-fund', join(work, archive)], { cwd: project });
      const installed = await readdir(join(project, 'node_modules'));
      expect(installed.filter((name) => !name.startsWith('.'))).toEqual([specifier]);
      expect((await readdir(join(project, 'node_modules', specifier))).sort()).toEqual([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'dist',
        'package.json',
      ]);

      await writeFile(join(project, 'program.ts'), program);
      const snippets = await snippetsOf(new URL('../../clients/typescript/README.md', import.meta.url), 'in a browser');
      await writeFile(join(project, 'readme.ts'), snippets.join('\n'));
      const strict = [
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2024,dom',
        '--skipLibCheck',
        'false',
      ];
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      await runTool(process.execPath, [tsc, ...strict, 'program.ts', 'readme.ts'], { cwd: project });
      expect(await answers(process.execPath, ['program.js'], project)).toEqual(expected);
    },
  );
});
