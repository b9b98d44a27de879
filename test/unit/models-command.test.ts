import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modelsHelp, ModelsUsage, runModels } from '../../infra/main/admin/weights/run-models.ts';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { catalogue, modelOf, type CataloguedModel } from '../../ml/encoders/catalogue/index.ts';
import { broken, openFileSite, other, whole, type FileSite } from '../support/file-site.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';

const limits = { attempts: 2, pauseSeconds: 0.01, silentSeconds: 5, largestBytes: 50_000 };
const content = Buffer.alloc(20_000, 'weights of a model ');
const path = 'robust-sleep-net/best_model.gz';
/** Models of the catalogue that are downloaded, with small files in place of their own. */
const models: readonly CataloguedModel[] = catalogue
  .filter(({ file }) => file.address !== null)
  .map((model) => ({
    ...model,
    file: {
      ...model.file,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      gitBlob: null,
    },
  }));
let site: FileSite;
let root: string;
let cacheDir: string;
let count = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'models-command-'));
  const files = models.map(({ file }) => [`${file.folder}/${file.path}`, content] as const);
  site = await openFileSite(new Map(files));
});
beforeEach(() => {
  site.reset();
  cacheDir = join(root, `cache${count++}`);
});
afterAll(async () => {
  await site.close();
  rmSync(root, { recursive: true, force: true });
});

interface Said {
  readonly url?: string | null;
  readonly enabled?: readonly string[] | null;
}

async function said(args: string, { url = site.url, enabled = null }: Said = {}): Promise<string> {
  const lines: string[] = [];
  const statuses: string[] = [];
  await runModels(
    args.split(' ').filter(Boolean),
    { modelStoreUrl: url, modelsEnabled: enabled, cacheDir },
    { line: (text) => void lines.push(text), status: (text) => void statuses.push(text) },
    { models, limits },
  ).catch((error: unknown) => {
    if (error instanceof ModelsUsage) throw error;
    lines.push(`exit: ${(error as Error).message}`);
  });
  return [...lines, ...statuses].join('\n');
}

describe('list', () => {
  it('shows the licence, training data, weights and status of every model', async () => {
    const text = await said('list');
    expect(text).toContain('robust-sleep-net: RobustSleepNet fdbd193a');
    expect(text).toContain('MIT License (MIT), https://github.com/Dreem-Organization/');
    expect(text).toContain('Data       780 nights of MESA');
    expect(text).toContain('Cite       Guillot, A., Thorey, V. (2021).');
    expect(text).toContain(`Held       Not here; its place is ${join(cacheDir, 'models', path)}`);
    expect(text).toContain('Tried      No: weights not installed\n');
    expect(text).toContain('Tried      No: switched off: the terms of its training data are unclear');
    expect(text).toContain('Tried      No: its licence forbids it: CC BY-NC 4.0');
    expect(await said('list dcrnn-tusz')).not.toContain('RobustSleepNet');
    expect(await said('list dcrnn-tusz', { enabled: ['dcrnn-tusz'] })).toContain(
      'Tried      No: weights not installed',
    );
    await said('pull');
    expect(await said('list robust-sleep-net')).toContain('Tried      Yes');
  });

  it('prints whole licences', async () => {
    const text = await said('list robust-sleep-net neurorvq-eeg --licence');
    expect(text).toContain('Copyright (c) 2021 Dreem');
    expect(text).toContain('NonCommercial means not primarily intended for');
  });
});

describe('pull', () => {
  it('downloads weights that are switched on, resumes after an interruption, and shows progress', async () => {
    site.answer(path, broken(7_000), whole);
    const text = await said('pull');
    expect(text).toContain(`robust-sleep-net: 0.0 MB, the published file, kept: ${join(cacheDir, 'models', path)}`);
    expect(text).toContain('labram-base: 0.0 MB');
    expect(text).not.toContain('dcrnn-tusz');
    expect(text).toMatch(/robust-sleep-net {2}█{24} {2}0\.0 MB of 0\.0 MB/);
    expect(readFileSync(join(cacheDir, 'models', path)).equals(content)).toBe(true);
    expect(site.asked.map(({ range }) => range)).toEqual([undefined, 'bytes=7000-', undefined]);
    expect(await said('pull')).toContain('the published file, kept');
    expect(site.asked).toHaveLength(3);
  });

  it('downloads weights that are named, and none if none is switched on', async () => {
    expect(await said('pull dcrnn-tusz')).toMatch(/^dcrnn-tusz: 0\.0 MB/);
    expect(await said('pull', { enabled: [] })).toBe('No model is switched on.');
    expect(site.asked).toHaveLength(1);
  });

  it('refuses what its licence forbids, and what has no hash', async () => {
    await expect(said('pull neurorvq-eeg')).rejects.toThrow('neurorvq-eeg is not brought here: its licence forbids it');
    expect(site.asked).toEqual([]);
  });

  it('fails if a file is not the published one, after downloading the others', async () => {
    site.answer(
      path,
      other((bytes) => bytes.subarray(1)),
    );
    const text = await said('pull');
    expect(text).toMatch(
      /robust-sleep-net: .* is not the published file: it has 19999 bytes and 20000 are published\./,
    );
    expect(text).toContain('labram-base: 0.0 MB, the published file');
    expect(text).toContain('exit: The weights of one model are not here.');
  });

  it('offline names the address, the setting to change, and what the service does meanwhile', async () => {
    const gone = await openFileSite(new Map());
    await gone.close();
    const text = await said('pull robust-sleep-net', { url: gone.url });
    expect(text).toContain('could not be reached (ECONNREFUSED; tried 2 times)');
    expect(text).toContain(
      `It was asked for ${gone.url}/${path}. MODEL_STORE_URL may name a mirror (https:) or a folder`,
    );
    expect(text).toContain('without it the service runs on classical methods.');
    expect(text).toContain('exit: The weights of one model are not here.');
  });
});

describe('verify', () => {
  it('passes if nothing is damaged, and names damaged files', async () => {
    expect(await said('verify')).not.toContain('exit');
    await said('pull');
    expect(await said('verify')).toMatch(
      /robust-sleep-net: the published file, 0\.0 MB: .*\nlabram-base: the published/,
    );
    writeFileSync(join(cacheDir, 'models', path), content.subarray(0, 100));
    const text = await said('verify');
    expect(text).toMatch(
      /robust-sleep-net: .*best_model\.gz is not the published file: it has 100 bytes and 20000 are/,
    );
    expect(text).toContain('exit: Weights are damaged. Remove them, then pull them again');
  });

  it('exits with 1 if a file is damaged', async () => {
    const folder = join(root, 'models');
    mkdirSync(join(folder, 'robust-sleep-net'), { recursive: true });
    writeFileSync(join(folder, path), content);
    const env = childEnvironment({ MODEL_STORE_URL: pathToFileURL(folder).href, XDG_CACHE_HOME: cacheDir });
    const program = fileURLToPath(new URL('../../infra/main/models.ts', import.meta.url));
    const { code, text } = await new Promise<{ code: unknown; text: string }>((ended) => {
      execFile(process.execPath, [program, 'verify'], { env }, (error, stdout, stderr) =>
        ended({ code: error?.code, text: stdout + stderr }),
      );
    });
    expect(code).toBe(1);
    expect(text).toMatch(/best_model\.gz is not the published file: it has 20000 bytes and 747520 are published\./);
    expect(text).toMatch(/labram-base: not here\.[^]*\nWeights are damaged\./);
  });

  it.skipIf(modelMissing('robust-sleep-net') || modelMissing('dcrnn-tusz'))(
    'passes on the published weights, in place',
    async () => {
      const lines: string[] = [];
      await runModels(
        ['verify'],
        { modelStoreUrl: pathToFileURL(modelsFolder).href, modelsEnabled: null, cacheDir },
        { line: (text) => void lines.push(text), status: () => undefined },
      );
      const { file } = modelOf('dcrnn-tusz');
      expect(lines).toContain(`dcrnn-tusz: the published file, 1.7 MB: ${join(modelsFolder, file.folder, file.path)}`);
      expect(lines.filter((line) => line.includes('the published file'))).toHaveLength(3);
    },
  );
});

it('needs no download of weights that come with the service', async () => {
  const lines: string[] = [];
  const config = { modelStoreUrl: null, modelsEnabled: null, cacheDir };
  const at = fileURLToPath(new URL('../../ml/encoders/movement/weights.safetensors', import.meta.url));
  for (const command of ['list', 'pull', 'verify'])
    await runModels([command, 'movement'], config, { line: (text) => void lines.push(text), status: () => undefined });
  expect(lines).toContain('  Card       /docs/movement-network of this service');
  expect(lines).toContain('  Tried      Yes');
  expect(lines.join('\n')).toContain(`the published file, comes with the service: ${at}`);
  expect(lines.at(-1)).toContain(`movement: the published file`);
});

it('says how it is used', async () => {
  expect(await said('')).toBe(modelsHelp);
  expect(await said('verify --help')).toBe(modelsHelp);
  await expect(said('fetch')).rejects.toThrow('There is no command "fetch".');
  await expect(said('list x')).rejects.toThrow('There is no model "x".');
  await expect(said('verify --licence')).rejects.toThrow('--licence belongs to list.');
  await expect(said('list --all')).rejects.toThrow("Unknown option '--all'");
});
