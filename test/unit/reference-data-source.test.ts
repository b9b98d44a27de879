import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectFiles, countPeople, type CollectProgress } from '../../infra/recordings/reference-data/collect.ts';
import type { DownloadLimits } from '../../infra/downloads/download.ts';
import { ReferenceFault } from '../../infra/recordings/reference-data/fault.ts';
import {
  openReferenceSource,
  readLocalFile,
  type ReferenceSource,
} from '../../infra/recordings/reference-data/source.ts';
import { broken, other, silent, status, whole } from '../support/file-site.ts';
import { openReferenceSite, type ReferenceSite } from '../support/reference-site.ts';
import { writeEdf } from '../support/write-edf.ts';

const limits: DownloadLimits = { attempts: 4, pauseSeconds: 0.01, silentSeconds: 0.3, largestBytes: 50_000 };
let site: ReferenceSite;
let nameless: ReferenceSite;
let root: string;
let cacheDir: string;
let count = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'reference-'));
  site = await openReferenceSite();
  nameless = await openReferenceSite(20_000, false);
});
beforeEach(() => {
  site.reset();
  nameless.reset();
  cacheDir = join(root, `cache${count++}`);
});
afterAll(async () => {
  await site.close();
  await nameless.close();
  rmSync(root, { recursive: true, force: true });
});

const source = (from = site): ReferenceSource => openReferenceSource(from.set, { url: from.url, cacheDir, limits });
const first = 'S001/S001R01.edf';
const kept = (path: string): string => join(cacheDir, 'reference', 'small/1.0', path);
/** The part of a process of this machine. */
const partOf = (path: string, pid: number): string =>
  `${kept(path)}.${hostname().replaceAll(/[^A-Za-z0-9]+/g, '-')}.${pid}-00000000.part`;
const isWhole = (path: string): boolean => readFileSync(kept(path)).equals(site.contentOf(path));
/** Everything in the folder of kept files, parts too. */
const held = (): string[] =>
  existsSync(cacheDir)
    ? readdirSync(cacheDir, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map(({ name }) => name)
        .sort()
    : [];
async function faultOf(work: Promise<unknown>): Promise<ReferenceFault> {
  const thrown = await work.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ReferenceFault);
  return thrown as ReferenceFault;
}

describe('from a site', () => {
  it('downloads every file, a few at a time, and reports files and bytes', async () => {
    const told: CollectProgress[] = [];
    const { present: files, missing } = await collectFiles(source(), site.files, {
      onProgress: (each) => told.push(each),
    });
    expect(missing).toEqual([]);
    expect(site.files.every(({ path }) => isWhole(path))).toBe(true);
    expect(files.every(({ published }) => published)).toBe(true);
    expect(site.mostAtOnce()).toBeGreaterThan(1);
    expect(site.mostAtOnce()).toBeLessThanOrEqual(4);
    expect(told.at(-1)).toEqual({ files: 12, bytes: 240_000 });
    expect(told.every(({ bytes }, i) => i === 0 || bytes >= told[i - 1].bytes)).toBe(true);
  });

  it('does not download files that it has, and downloads damaged ones again', async () => {
    await collectFiles(source(), site.files);
    site.reset();
    writeFileSync(kept(first), 'damaged');
    await collectFiles(source(), site.files);
    expect(site.asked.map(({ path }) => path)).toEqual([first]);
    expect(isWhole(first)).toBe(true);
  });

  it('uses the official address of the set if no mirror is named', async () => {
    const official = openReferenceSource(site.set, { url: null, cacheDir, limits });
    expect(await official.obtain(site.files[0])).toMatchObject({ at: kept(first) });
  });

  it('leaves out and lists files that a mirror lacks', async () => {
    for (const { path, person } of site.files)
      if (person === 'S002' || path === 'S003/S003R02.edf') site.answer(path, status(404));
    const { present: files, missing } = await collectFiles(source(), site.files);
    expect(missing.map(({ path }) => path)).toEqual(['S002/S002R01.edf', 'S002/S002R02.edf', 'S003/S003R02.edf']);
    expect(files).toHaveLength(9);
    expect(held()).toHaveLength(9);
    const there = new Set(files.map(({ path }) => path));
    expect(countPeople(site.files, ({ path }) => there.has(path))).toEqual({
      whole: ['S001', 'S004', 'S005', 'S006'],
      part: ['S003'],
      missing: ['S002'],
    });
  });

  it('resumes after a broken connection', async () => {
    site.answer(first, broken(7_000), broken(9_000), whole);
    expect(await source().obtain(site.files[0])).toMatchObject({ at: kept(first) });
    expect(site.asked.map(({ range }) => range)).toEqual([undefined, 'bytes=7000-', 'bytes=9000-']);
    expect(held()).toEqual(['S001R01.edf']);
  });

  it('resumes after an abort', async () => {
    site.answer(first, silent(12_000), whole);
    const abort = new AbortController();
    const sizes: number[] = [];
    const work = source().obtain(site.files[0], {
      signal: abort.signal,
      onSize: (bytes) => {
        sizes.push(bytes);
        if (bytes === 12_000) abort.abort(new Error('stopped here'));
      },
    });
    await expect(work).rejects.toThrow('stopped here');
    expect(held()).toEqual([expect.stringMatching(/^S001R01\.edf\.[\w-]+\.\d+-[0-9a-f]{8}\.part$/)]);
    await source().obtain(site.files[0]);
    expect(site.asked.at(-1)).toEqual({ path: first, range: 'bytes=12000-' });
    expect(isWhole(first)).toBe(true);
    expect(held()).toEqual(['S001R01.edf']);
  });

  it('resumes the partial file of an ended process, but not one that another process writes', async () => {
    mkdirSync(dirname(kept(first)), { recursive: true });
    writeFileSync(partOf(first, 4_194_305), site.contentOf(first).subarray(0, 5_000));
    writeFileSync(partOf(first, 4_194_306), site.contentOf(first).subarray(0, 4_000));
    writeFileSync(partOf(first, 1), site.contentOf(first).subarray(0, 9_000));
    await source().obtain(site.files[0]);
    expect(site.asked).toEqual([{ path: first, range: 'bytes=5000-' }]);
    expect(held()).toEqual(['S001R01.edf', basename(partOf(first, 1))]);
  });

  it('starts again if the partial file belongs to another file, or if the site does not support ranges', async () => {
    mkdirSync(dirname(kept(first)), { recursive: true });
    writeFileSync(partOf(first, 4_194_305), 'x'.repeat(5_000));
    await source().obtain(site.files[0]);
    expect(site.asked.map(({ range }) => range)).toEqual(['bytes=5000-', undefined]);
    const second = site.files[1];
    writeFileSync(partOf(second.path, 4_194_305), 'x'.repeat(5_000));
    site.answer(second.path, (response, content) => void response.end(content));
    await source().obtain(second);
    expect(isWhole(second.path)).toBe(true);
  });

  it('two at once download a file once', async () => {
    const both = await Promise.all([source().obtain(site.files[0]), source().obtain(site.files[0])]);
    expect(both.map((each) => each?.at)).toEqual([kept(first), kept(first)]);
    expect(held()).toEqual(['S001R01.edf']);
  });

  it('waits if the site is slow or busy', async () => {
    site.answer(first, status(503, { 'retry-after': '0' }), silent(100), status(429), whole);
    await source().obtain(site.files[0]);
    expect(site.asked.map(({ range }) => range)).toEqual([undefined, undefined, 'bytes=100-', 'bytes=100-']);
    site.answer(site.files[1].path, (response, content) => {
      for (let i = 0; i < 10; i++)
        setTimeout(() => response.write(content.subarray(2_000 * i, 2_000 * (i + 1))), 50 * i);
      setTimeout(() => response.end(), 550);
    });
    await source().obtain(site.files[1]);
    expect(site.asked).toHaveLength(5);
  });
});

describe('a fault names the file and what is wrong, and leaves the rest', () => {
  it.each([
    [
      'corrupted',
      other((content) => (content.write('!', 9_999), content)),
      /its SHA-256 is [0-9a-f]{64} and [0-9a-f]{64} is published/,
    ],
    ['truncated', other((content) => content.subarray(0, 12_345)), /it has 12345 bytes and 20000 are published/],
    [
      'longer',
      other((content) => Buffer.concat([content, content])),
      /it has at least \d+ bytes and 20000 are published/,
    ],
  ])('a %s file', async (_, answer, message) => {
    site.answer('S002/S002R01.edf', answer);
    const fault = await faultOf(collectFiles(source(), site.files));
    expect(fault).toMatchObject({ fault: 'not_the_published_file', status: 'failed', retryable: false });
    expect(fault.message).toContain('small/1.0/S002/S002R01.edf');
    expect(fault.message).toMatch(message);
    expect(held()).toHaveLength(11);
    expect(existsSync(kept('S002/S002R01.edf'))).toBe(false);
    site.reset();
    expect((await collectFiles(source(), site.files)).present).toHaveLength(12);
    expect(site.asked).toHaveLength(1);
    expect(held()).toHaveLength(12);
  });

  it('is found by the hash if sizes are not published, and endless files are refused', async () => {
    nameless.answer(
      first,
      other((content) => content.subarray(0, 10_000)),
    );
    expect((await faultOf(source(nameless).obtain(nameless.files[0]))).message).toMatch(/its SHA-256 is/);
    nameless.answer(first, (response) => {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(16_384), more));
      more();
    });
    expect((await faultOf(source(nameless).obtain(nameless.files[0]))).message).toMatch(
      /at least \d+ bytes and 50000 are allowed/,
    );
  });

  it('is retryable for a connection that keeps breaking, with the number of attempts', async () => {
    site.answer(first, broken(1_000));
    const fault = await faultOf(source().obtain(site.files[0]));
    expect(fault).toMatchObject({ fault: 'interrupted', status: 'failed', retryable: true });
    expect(fault.message).toMatch(
      /^small\/1\.0\/S001\/S001R01\.edf could not be downloaded from .* \(tried 4 times\)\.$/,
    );
    site.answer(first, status(500));
    expect((await faultOf(source().obtain(site.files[0]))).message).toContain('was asked 4 times and answers 500');
  });

  it('of the whole source stops the other downloads at once', async () => {
    for (const { path } of site.files) site.answer(path, status(403));
    const fault = await faultOf(collectFiles(source(), site.files));
    expect(fault).toMatchObject({ fault: 'refused', status: 'required', retryable: false });
    expect(site.asked.length).toBeLessThanOrEqual(4);
  });

  it('no route needs an operator', async () => {
    const gone = await openReferenceSite();
    await gone.close();
    const fault = await faultOf(collectFiles(source(gone), gone.files));
    expect(fault).toMatchObject({ fault: 'no_route', status: 'required', retryable: false });
    expect(fault.message).toBe(
      `${new URL(gone.url).host} could not be reached (ECONNREFUSED; tried 4 times). The operator of the service ` +
        'may name a mirror or a folder in REFERENCE_DATA_URL.',
    );
  });

  it('an empty mirror needs an operator', async () => {
    for (const { path } of site.files) site.answer(path, status(404));
    const fault = await faultOf(collectFiles(source(), site.files));
    expect(fault).toMatchObject({ fault: 'nothing_there', status: 'required' });
    expect(fault.message).toBe(`${site.url} holds none of the 12 files, S001/S001R01.edf to S006/S006R02.edf.`);
  });

  it('a folder that cannot be written to needs an operator', async () => {
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(join(cacheDir, 'reference'), '');
    expect(await faultOf(source().obtain(site.files[0]))).toMatchObject({ fault: 'cannot_write', status: 'required' });
  });

  it('an abort is not a fault', async () => {
    const abort = new AbortController();
    for (const { path } of site.files) site.answer(path, silent(10));
    setTimeout(() => abort.abort(new Error('asked to stop')), 50);
    await expect(collectFiles(source(), site.files, { signal: abort.signal })).rejects.toThrow('asked to stop');
  });
});

describe('from a folder', () => {
  let mirror: string;
  const inFolder = (): ReferenceSource => openReferenceSource(site.set, { url: `file://${mirror}`, cacheDir });
  const put = (path: string, content: Uint8Array): void => {
    mkdirSync(dirname(join(mirror, 'small/1.0', path)), { recursive: true });
    writeFileSync(join(mirror, 'small/1.0', path), content);
  };
  beforeEach(() => {
    mirror = join(root, `mirror${count++}`);
    for (const { path, person } of site.files) if (person < 'S004') put(path, site.contentOf(path));
  });

  it('reads existing files in place and lists missing ones', async () => {
    const { present: files, missing } = await collectFiles(inFolder(), site.files);
    expect(files.map(({ at }) => at)).toEqual(files.map(({ path }) => join(mirror, 'small/1.0', path)));
    expect(files).toHaveLength(6);
    expect(missing).toHaveLength(6);
    expect(existsSync(cacheDir)).toBe(false);
    expect(site.asked).toEqual([]);
  });

  it('uses a recording that the operator put there, and reports it', async () => {
    put(
      first,
      writeEdf({
        rateHz: 8,
        channels: [{ label: 'Cz', unit: 'uV', values: [1, 2, 3, 4, 5, 6, 7, 8] }],
        annotations: [],
      }),
    );
    const own = (await inFolder().obtain(site.files[0]))!;
    expect(own.published).toBe(false);
    expect((await readLocalFile(own)).channels[0].label).toBe('Cz');
  });

  it('refuses a damaged copy, and an unreadable file, by name', async () => {
    const content = Buffer.from(site.contentOf(first));
    content.write('!', 5);
    put(first, content);
    const damaged = await faultOf(inFolder().obtain(site.files[0]));
    expect(damaged).toMatchObject({ fault: 'not_the_published_file', status: 'failed' });
    expect(damaged.message).toContain(join(mirror, 'small/1.0', first));
    put(first, content.subarray(0, 500));
    const cut = await faultOf(readLocalFile((await inFolder().obtain(site.files[0]))!));
    expect(cut).toMatchObject({ fault: 'unreadable', status: 'failed', retryable: false });
    expect(cut.message).toBe(
      `${join(mirror, 'small/1.0', first)} cannot be read. This is not an EDF or BDF file. ` +
        'Export it as EDF+ from your recording software.',
    );
  });

  it('refuses files that are too large without reading them', async () => {
    truncateSync(join(mirror, 'small/1.0', first), 2 ** 40);
    const fault = await faultOf(inFolder().obtain(site.files[0]));
    expect(fault.fault).toBe('unreadable');
    expect(fault.message).toContain('it has 1099511627776 bytes and at most 268435456 are read');
  });

  it('that does not exist needs an operator', async () => {
    rmSync(mirror, { recursive: true });
    const fault = await faultOf(collectFiles(inFolder(), site.files));
    expect(fault).toMatchObject({ fault: 'nothing_there', status: 'required' });
    expect(fault.message).toContain(`${join(mirror, 'small/1.0')} holds none of the 12 files`);
  });
});
