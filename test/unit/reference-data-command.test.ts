import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReferenceUsage, runReference } from '../../infra/main/admin/reference-data/run-reference.ts';
import { loadConfig } from '../../infra/drivers/config.ts';
import { bar } from '../../infra/embedded/progress.ts';
import { ReferenceFault } from '../../infra/recordings/reference-data/fault.ts';
import { writeEdf } from '../support/write-edf.ts';

let root: string;
let person: string;
const own = writeEdf({ rateHz: 4, channels: [{ label: 'Cz', unit: 'uV', values: [1, 2, 3, 4] }], annotations: [] });
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'reference-command-'));
  person = join(root, 'eegmmidb/1.0.0/S001');
  mkdirSync(person, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const connect = async (): Promise<never> => {
  throw new Error('There is no service.');
};

async function said(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const statuses: string[] = [];
  const config = loadConfig({ REFERENCE_DATA_URL: `file:${root}`, XDG_CACHE_HOME: join(root, 'cache') });
  await runReference(
    args,
    config,
    {
      line: (text) => void lines.push(text),
      status: (text) => void statuses.push(text),
    },
    connect,
  ).catch((error: unknown) => {
    if (!(error instanceof ReferenceFault)) throw error;
    lines.push(`exit: ${error.message}`);
  });
  return [...lines, ...statuses].join('\n');
}

it('lists every data set with its licence, its citation and the number of people on this machine', async () => {
  for (const run of ['04', '08', '12']) writeFileSync(join(person, `S001R${run}.edf`), own);
  const text = await said('list');
  expect(text).toMatch(/eegmmidb: EEG Motor Movement\/Imagery Database 1\.0\.0/);
  expect(text).toContain('Open Data Commons Attribution License v1.0 (ODC-By-1.0), https://physionet.org/');
  expect(text).toContain('Cite       Goldberger');
  expect(text).toContain(`From       ${join(root, 'eegmmidb/1.0.0')}, read in place`);
  expect(text).toContain('Held       3 of 1470 recordings (0.0 MB); of 105 people 0 whole, 1 in part, 104 missing');
  expect(text).toMatch(/left-right-fist-imagined +1 +0 +104\n/);
  expect(text).toMatch(/movement-rest-imagined +0 +1 +104\n/);
  expect(text).toContain('Brain Invaders BI2014a');
  expect(await said('list', 'eegmmidb')).not.toContain('Brain Invaders');
});

it('verifies the files on this machine: published ones, other readable ones, and damaged ones by name', async () => {
  expect(await said('verify', 'eegmmidb')).toContain('0 recordings are the published ones; 3 are others');
  writeFileSync(join(person, 'S001R08.edf'), own.subarray(0, own.length - 2));
  writeFileSync(join(person, 'S001R12.edf'), new Uint8Array(2_596_896));
  const text = await said('verify', 'eegmmidb');
  expect(text).toContain('1 are others that can be read, 2 are damaged, 1467 are not here.');
  expect(text).toContain(`other: ${join(person, 'S001R04.edf')}`);
  expect(text).toContain(
    `${join(person, 'S001R08.edf')} cannot be read. It holds no data: 1 data records are declared`,
  );
  expect(text).toMatch(
    /S001R12\.edf is damaged: it has 2596896 bytes and the SHA-256 [0-9a-f]{64}, and [0-9a-f]{64} is/,
  );
  mkdirSync(join(person, 'S001R14.edf'));
  expect(await said('verify', 'eegmmidb')).toContain(`${join(person, 'S001R14.edf')} is not a file.`);
  expect(text).toContain('exit: Recordings are damaged.');
  expect(text).toMatch(/eegmmidb {2}░{24} {2}0 of 3 files, 0\.0 MB of 2\.6 MB/);
});

it('prints its usage, and names unknown commands', async () => {
  expect(await said('--help')).toContain('npm run reference -- COMMAND');
  await expect(said('fetch')).rejects.toThrow(ReferenceUsage);
  await expect(said('list', 'x')).rejects.toThrow('There is no data set "x".');
  await expect(said('list', '--all')).rejects.toThrow("Unknown option '--all'");
  await expect(said('list', '--again')).rejects.toThrow('--task and --again belong to prepare.');
  await expect(said('prepare', 'eegmmidb', '--task', 'x')).rejects.toThrow(/no task "x", but eyes-open-closed, left-/);
  await expect(said('prepare', 'eegmmidb')).rejects.toThrow('There is no service.');
});

it('draws its progress', () => {
  const [none, half, all] = [0, 12, 24].map((full) => '█'.repeat(full) + '░'.repeat(24 - full));
  expect([0, 0.5, 1, 2, Number.NaN].map((done) => bar(done))).toEqual([none, half, all, all, none]);
});
