import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCrashMarker } from '../../infra/main/crash-marker.ts';

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'crash-'));
});
afterEach(() => rm(cacheDir, { recursive: true, force: true }));

/** Opens a marker with a database that notes the processes whose death it records. */
async function open({ fails = false } = {}) {
  const recorded: unknown[] = [];
  const query = async (text: string, values: unknown[]) => {
    if (fails) throw new Error('away');
    if (text.includes('INSERT INTO prediction_deaths')) recorded.push(values[0]);
    return { rows: [] };
  };
  const log = { warn: () => undefined, error: () => undefined };
  const marker = await openCrashMarker({ cacheDir, dataDir: cacheDir, databaseUrl: null }, { query } as never, log);
  return { marker: marker!, recorded };
}

/** What a process leaves that ended while it labelled with a model. */
async function leave(all: string, process: string, boot?: string): Promise<void> {
  const folder = join(all, process);
  await mkdir(folder);
  await writeFile(join(folder, 'lock'), '');
  await writeFile(join(folder, 'process'), process);
  await writeFile(join(folder, 'models'), 'clf_1'.padEnd(64));
  if (boot !== undefined) await writeFile(join(folder, 'boot'), boot);
}

async function folderOfAll(): Promise<string> {
  const { marker } = await open();
  await marker.stop();
  return dirname(dirname(marker.file));
}

it('a process that ended with its machine blames no model, one that ended alone does', async () => {
  const all = await folderOfAll();
  await leave(all, 'before', 'another start of the machine');
  await leave(all, 'since');
  const { marker, recorded } = await open();
  expect(recorded).toEqual(['since']);
  expect(await readdir(all)).toEqual([dirname(marker.file).slice(all.length + 1)]);
  await marker.stop();
});

it('if the database is unreachable at the start, the next start records earlier deaths, and this process still marks models', async () => {
  const all = await folderOfAll();
  await leave(all, 'since');
  const { marker } = await open({ fails: true });
  expect(marker.file).toContain(all);
  await marker.stop();
  const next = await open();
  expect(next.recorded).toEqual(['since']);
  await next.marker.stop();
});
