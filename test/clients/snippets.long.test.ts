import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, startTestApi, type TestApi } from '../support/api.ts';
import { pythonEnvironment, type PythonEnvironment } from '../support/python-environment.ts';
import { createTestDesk } from '../support/reference-desk.ts';
import { storeReferenceFit } from '../support/reference-fit.ts';
import { snippetsOf } from '../support/snippets.ts';
import { writeEdf } from '../support/write-edf.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let api: TestApi;
let folder: string;
let env: Readonly<Record<string, string>>;
/** With the client as pip installs it, and MNE. */
let python: PythonEnvironment | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'eeg-snippets-'));
  const desk = createTestDesk();
  desk.preparationIs({ status: 'ready' });
  api = await startTestApi({ reference: desk }, { inProcess: true });
  desk.fitIs({ status: 'ready', result: await storeReferenceFit(api.deps.objects, ['O1', 'Oz', 'O2']) });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { key } = await newAccount(api.database, { key: { mode: 'test' } });
  const { port } = api.app.server.address() as AddressInfo;
  env = { EEG_API_KEY: key, EEG_BASE_URL: `http://127.0.0.1:${port}` };
  python = await pythonEnvironment();
}, 600_000);
afterAll(async () => {
  await Promise.all([api?.close(), python?.remove()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A made-up recording with annotations in turns, one every `every` seconds. */
function recording(name: string, texts: readonly string[], every: number, channels: readonly string[]): void {
  const [rateHz, seconds] = [100, every * 12];
  const values = (row: number): number[] =>
    Array.from(
      { length: rateHz * seconds },
      (_, i) => 20 * Math.sin(i * 0.13 * (row + 1)) + 5 * Math.sin(i * 1.7 + row),
    );
  const bytes = writeEdf({
    rateHz,
    channels: channels.map((label, row) => ({ label, unit: 'uV', values: values(row) })),
    annotations: Array.from({ length: 11 }, (_, i) => ({
      onset: every * (i + 0.25),
      duration: every * 0.7,
      text: texts[i % texts.length],
    })),
  });
  writeFileSync(join(folder, name), bytes);
}

/** Packages that the tests of the client have, and a reader who installed it and MNE has not. */
const absent = ['edfio', 'eeglabio', 'ipykernel', 'mypy', 'nbclient', 'pandas', 'pybv', 'pytest', 'pyxdf'];
const withoutThem =
  'import runpy, sys; sys.modules.update(dict.fromkeys(sys.argv[2:])); runpy.run_path(sys.argv[1], run_name="__main__")';

describe('Python snippets', () => {
  const runFile = async (file: string): Promise<string> => {
    const options = { cwd: folder, env: { ...python!.env, ...env }, timeout: 240_000 };
    return (await run(python!.python, ['-c', withoutThem, file, ...absent], options)).stdout;
  };
  const runPython = async (page: string): Promise<string> => {
    const file = join(folder, `${page}.py`);
    writeFileSync(file, snippetsOf(page, 'python').join('\n'));
    return await runFile(file);
  };

  it('of the quickstart run unchanged', { timeout: 300_000 }, async ({ skip }) => {
    if (!python) skip();
    expect(await runPython('quickstart')).toMatch(/clf_[0-9a-f]{32}[^]*both f[^]*0\.\d/);
  });

  it('of the model without trials', { timeout: 300_000 }, async ({ skip }) => {
    if (!python) skip();
    expect(await runPython('zero-shot')).toMatch(/clf_[0-9a-f]{32}/);
  });

  it('of the epochs cut the stated trials from recordings', { timeout: 300_000 }, async ({ skip }) => {
    if (!python) skip();
    recording('imagery.edf', ['T1', 'T2'], 8, ['Fc5.', 'C3..', 'Cz..', 'C4..']);
    recording('oddball.edf', ['target', 'standard'], 4, ['Fz', 'Cz', 'Pz']);
    recording('flicker.edf', ['10 Hz', '12 Hz'], 8, ['O1', 'Oz', 'O2']);
    recording('night.edf', ['Sleep stage W', 'Sleep stage N2', 'Sleep stage N3'], 90, ['Fpz', 'Cz']);
    const file = join(folder, 'epochs.py');
    const check = 'print(sorted(epochs.event_id), len(epochs), epochs.get_data(units="uV").shape)';
    writeFileSync(
      file,
      snippetsOf('epochs', 'python')
        .flatMap((code) => [code, check])
        .join('\n'),
    );
    const stdout = await runFile(file);
    expect(stdout).toMatch(/\['left', 'right'\] 11 \(11, 4, 400\)/);
    expect(stdout).toMatch(/\['standard', 'target'\] 11 \(11, 3, 100\)/);
    expect(stdout).toMatch(/\['10 Hz', '12 Hz'\] 11 \(11, 3, 300\)/);
    expect(stdout).toMatch(/\['Sleep stage N2', 'Sleep stage N3', 'Sleep stage W'\] \d+ \(\d+, 2, 3000\)/);
  });

  it('that are only shown are valid Python', { timeout: 120_000 }, async ({ skip }) => {
    if (!python) skip();
    const shown = ['python', 'units-and-channels', 'epochs'].flatMap((page) =>
      ['python illustration', 'python upload'].flatMap((info) => snippetsOf(page, info)),
    );
    expect(shown.length).toBeGreaterThan(3);
    for (const code of shown) await run(python!.python, ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]);
  });
});

describe('TypeScript snippets', () => {
  const client = join(root, 'clients/typescript');
  const runTypeScript = async (page: string): Promise<string> => {
    const installed = join(folder, 'node_modules/eeg-task-classifier-client');
    if (!existsSync(installed)) {
      mkdirSync(installed, { recursive: true });
      copyFileSync(join(client, 'package.json'), join(installed, 'package.json'));
      const compiler = join(root, 'node_modules/.bin/tsc');
      await run(compiler, ['-p', join(client, 'tsconfig.json'), '--outDir', join(installed, 'dist')]);
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const file = join(folder, `${page}.ts`);
    writeFileSync(file, snippetsOf(page, 'ts').join('\n'));
    return (await run(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env }, timeout: 240_000 }))
      .stdout;
  };

  it('of the quickstart run unchanged', { timeout: 300_000 }, async () => {
    expect(await runTypeScript('quickstart')).toMatch(/clf_[0-9a-f]{32}[^]*both (feet|fists) \{/);
  });

  it('of the model without trials', { timeout: 300_000 }, async () => {
    expect(await runTypeScript('zero-shot')).toMatch(/clf_[0-9a-f]{32}/);
  });
});
