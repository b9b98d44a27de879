import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadLimits } from '../../infra/downloads/download.ts';
import { FileFault } from '../../infra/downloads/fault.ts';
import { readWeightsFile } from '../../infra/weights/read-weights-file.ts';
import { statusOfWeights } from '../../infra/weights/weights-status.ts';
import { openWeightsStore, type WeightsStore } from '../../infra/weights/store.ts';
import { modelOf, type CataloguedModel } from '../../ml/encoders/catalogue/index.ts';
import { broken, openFileSite, other, silent, status, whole, type FileSite } from '../support/file-site.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';

const limits: DownloadLimits = { attempts: 4, pauseSeconds: 0.01, silentSeconds: 0.3, largestBytes: 50_000 };
const content = Buffer.alloc(20_000, 'weights of a small model ');
const sha256 = createHash('sha256').update(content).digest('hex');
const gitBlob = createHash('sha1').update('blob 20000\0').update(content).digest('hex');
let site: FileSite;
let root: string;
let cacheDir: string;
let model: CataloguedModel;
let count = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'weights-'));
  site = await openFileSite(new Map([['small/weights.bin', content]]));
  const file = { folder: 'small', path: 'weights.bin', address: `${site.url}/small/weights.bin`, bytes: 20_000 };
  const sleep = modelOf('robust-sleep-net');
  model = { ...sleep, id: 'small', title: 'A small model', file: { ...sleep.file, ...file, sha256, gitBlob: null } };
});
beforeEach(() => {
  site.reset();
  cacheDir = join(root, `cache${count++}`);
});
afterAll(async () => {
  await site.close();
  rmSync(root, { recursive: true, force: true });
});

const path = 'small/weights.bin';
const store = (url: string | null = site.url): WeightsStore => openWeightsStore({ url, cacheDir, limits });
const kept = (): string => join(cacheDir, 'models', path);
const held = (): string[] => readdirSync(dirname(kept())).sort();
function put(at: string, bytes: Uint8Array): string {
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, bytes);
  return at;
}
async function faultOf(work: Promise<unknown>): Promise<FileFault> {
  const thrown = await work.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(FileFault);
  return thrown as FileFault;
}
const changed = Buffer.from(content);
changed.write('!', 9_999);

describe('from a mirror or the official address', () => {
  it.each([[() => site.url], [() => null]])('downloads a file once, completely and checked', async (url) => {
    expect(await store(url()).check(model)).toBeNull();
    const sizes: number[] = [];
    const weights = await store(url()).obtain(model, { onSize: (bytes) => sizes.push(bytes) });
    expect(weights).toEqual({ at: kept(), bytes: 20_000, sha256 });
    expect(sizes.at(-1)).toBe(20_000);
    expect(readFileSync(kept()).equals(content)).toBe(true);
    expect(await store(url()).obtain(model)).toEqual(weights);
    expect(site.asked.map((each) => each.path)).toEqual([path]);
  });

  it('resumes after a broken connection, and after an earlier process was stopped', async () => {
    site.answer(path, broken(7_000), silent(9_000), whole);
    const abort = new AbortController();
    const stopped = store().obtain(model, {
      signal: abort.signal,
      onSize: (bytes) => bytes >= 9_000 && abort.abort(new Error('stopped here')),
    });
    await expect(stopped).rejects.toThrow('stopped here');
    expect(held()).toEqual([expect.stringMatching(/^weights\.bin\..*\.part$/)]);
    await store().obtain(model);
    expect(site.asked.map(({ range }) => range)).toEqual([undefined, 'bytes=7000-', 'bytes=9000-']);
    expect(held()).toEqual(['weights.bin']);
  });

  it('downloads a damaged file again', async () => {
    put(kept(), changed);
    expect((await faultOf(store().check(model))).message).toBe(
      `${kept()} is not the published file: its SHA-256 is ${createHash('sha256').update(changed).digest('hex')} ` +
        `and ${sha256} is published.`,
    );
    await store().obtain(model);
    expect(readFileSync(kept()).equals(content)).toBe(true);
  });

  it.each([
    ['another', other(() => changed), /small\/weights\.bin from http.* is not the published file: its SHA-256 is/],
    ['a truncated', other((bytes) => bytes.subarray(0, 12_345)), /it has 12345 bytes and 20000 are published/],
    ['a longer', other((bytes) => Buffer.concat([bytes, bytes])), /it has at least \d+ bytes and 20000 are published/],
  ])('refuses %s file and keeps nothing of it', async (_, answer, message) => {
    site.answer(path, answer);
    const fault = await faultOf(store().obtain(model));
    expect(fault.fault).toBe('not_the_published_file');
    expect(fault.message).toMatch(message);
    expect(existsSync(kept())).toBe(false);
  });

  it('recognises a file by its git object id alone, and reports its SHA-256', async () => {
    const byBlob = { ...model, file: { ...model.file, bytes: null, sha256: null, gitBlob } };
    expect(await store().obtain(byBlob)).toMatchObject({ sha256, bytes: 20_000 });
    put(kept(), changed);
    expect((await faultOf(store().check(byBlob))).message).toMatch(/git object id is [0-9a-f]{40} and [0-9a-f]{40} is/);
  });

  it('takes no file without a published hash', async () => {
    put(kept(), content);
    expect(await store().check({ ...model, file: { ...model.file, sha256: null } })).toBeNull();
  });

  it('names the remedy if there is no route', async () => {
    const gone = await openFileSite(new Map());
    await gone.close();
    const fault = await faultOf(store(gone.url).obtain(model));
    expect(fault.fault).toBe('no_route');
    expect(fault.message).toBe(
      `${new URL(gone.url).host} could not be reached (ECONNREFUSED; tried 4 times). It was asked for ` +
        `${gone.url}/small/weights.bin. MODEL_STORE_URL may name a mirror (https:) or a folder (file:) that holds ` +
        'small/weights.bin; without it the service runs on classical methods.',
    );
  });

  it('says that the mirror does not have the file', async () => {
    site.answer(path, status(404));
    expect((await faultOf(store().obtain(model))).message).toBe(
      `${site.url}/small/weights.bin does not hold small/weights.bin.`,
    );
  });
});

describe('from a folder', () => {
  it('reads an existing file in place, and names a missing one', async () => {
    const folder = join(root, `folder${count++}`);
    const url = pathToFileURL(folder).href;
    expect((await faultOf(store(url).obtain(model))).message).toBe(`${folder} does not hold small/weights.bin.`);
    const at = put(join(folder, path), content);
    expect(await store(url).obtain(model)).toEqual({ at, bytes: 20_000, sha256 });
    put(at, content.subarray(0, 500));
    expect((await faultOf(store(url).obtain(model))).message).toBe(
      `${at} is not the published file: it has 500 bytes and 20000 are published.`,
    );
    rmSync(at);
    mkdirSync(at);
    expect((await faultOf(store(url).check(model))).message).toBe(`${at} is not a file.`);
    expect(existsSync(cacheDir)).toBe(false);
  });
});

describe('when a process begins', () => {
  const standing = async (modelsEnabled: readonly string[] | null = null) => {
    const warned: string[] = [];
    const config = { modelStoreUrl: null, modelsEnabled, cacheDir };
    const [stands] = await statusOfWeights(config, { warn: (line) => void warned.push(line) }, [model]);
    return { stands, warned };
  };

  it('installed published weights are ready', async () => {
    put(kept(), content);
    expect(await standing()).toEqual({
      stands: {
        id: 'small',
        title: 'A small model',
        card: null,
        status: 'ready',
        reason: null,
        weights: { path: kept(), sha256 },
      },
      warned: [],
    });
  });

  it('missing weights are not installed, without a line in the log', async () => {
    const { stands, warned } = await standing();
    expect(stands).toMatchObject({ status: 'not_installed', reason: 'weights not installed', weights: null });
    expect(warned).toEqual([]);
  });

  it('changed weights give a warning by name and count as not installed', async () => {
    put(kept(), changed);
    const { stands, warned } = await standing();
    expect(stands).toMatchObject({ status: 'not_installed', weights: null });
    expect(warned).toEqual([
      expect.stringMatching(
        /^The weights of small are not used\. .*weights\.bin is not the published file: its SHA-256/,
      ),
    ]);
  });

  it('weights of a model that is switched off stay usable for models that were fitted on them', async () => {
    const off = { status: 'off', reason: 'switched off: MODELS_ENABLED does not name it' };
    put(kept(), content);
    expect((await standing(['robust-sleep-net'])).stands).toMatchObject({ ...off, weights: { path: kept(), sha256 } });
    put(kept(), changed);
    const { stands, warned } = await standing(['robust-sleep-net']);
    expect(stands).toMatchObject({ ...off, weights: null });
    expect(warned).toHaveLength(1);
  });
});

describe('weights read later', () => {
  it('have the right hash, or are refused by name', async () => {
    const at = put(kept(), content);
    const read = async (path = at): Promise<Uint8Array> => readWeightsFile(path, sha256);
    expect(Buffer.from(await read()).equals(content)).toBe(true);
    put(at, changed);
    expect((await faultOf(read())).message).toMatch(/weights\.bin has changed: its SHA-256 is/);
    rmSync(at);
    expect((await faultOf(read())).message).toBe(`${at} cannot be read: ENOENT.`);
    expect((await faultOf(read('/dev/zero'))).message).toBe('/dev/zero is not a file.');
    execFileSync('mkfifo', [at]);
    expect((await faultOf(read())).message).toBe(`${at} is not a file.`);
  });
});

describe.skipIf(modelMissing('robust-sleep-net') || modelMissing('dcrnn-tusz'))('the published weights', () => {
  it('are those of the catalogue, read in place', async () => {
    const url = pathToFileURL(modelsFolder).href;
    for (const id of ['robust-sleep-net', 'dcrnn-tusz']) {
      const { file } = modelOf(id);
      expect(await store(url).obtain(modelOf(id))).toEqual({
        at: join(modelsFolder, file.folder, file.path),
        bytes: file.bytes,
        sha256: file.sha256,
      });
    }
    expect(existsSync(cacheDir)).toBe(false);
  });
});
