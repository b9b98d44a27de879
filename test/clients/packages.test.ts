import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

const source = (path: string): string => readFileSync(new URL(`../../clients/${path}`, import.meta.url), 'utf8');

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

const get = async (url: string) => await api.app.inject({ method: 'GET', url });
const wheel = '/clients/eeg_task_classifier-0.1.0-py3-none-any.whl';
const tarball = '/clients/eeg-task-classifier-client-0.1.0.tgz';

it('lists the packages of both clients, and names them in the error of another one', async () => {
  for (const path of ['/clients', '/clients/']) {
    const { body, statusCode } = await get(path);
    expect(statusCode).toBe(200);
    expect([...body.matchAll(/href="(\/clients\/[^"]+)"/g)].map(([, href]) => href)).toEqual([wheel, tarball]);
  }
  const missing = await get('/clients/eeg_task_classifier-0.0.9-py3-none-any.whl');
  expect(missing.statusCode).toBe(404);
  expect(missing.json()).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining(basename(wheel)) });
});

it('serves a wheel with the files, hashes, metadata and licence of the Python client', async () => {
  const files = unzipSync(new Uint8Array((await get(wheel)).rawPayload));
  const text = (name: string): string => Buffer.from(files[name]).toString();
  const info = 'eeg_task_classifier-0.1.0.dist-info';
  const rows = text(`${info}/RECORD`).trim().split('\n');
  expect(rows.map((row) => row.split(',')[0]).sort()).toEqual(Object.keys(files).sort());
  for (const row of rows.slice(0, -1)) {
    const [name, digest, size] = row.split(',');
    expect(digest).toBe(`sha256=${createHash('sha256').update(files[name]).digest('base64url')}`);
    expect(Number(size)).toBe(files[name].length);
  }
  expect(text('eeg_task_classifier/classifier.py')).toBe(source('python/src/eeg_task_classifier/classifier.py'));
  expect(files['eeg_task_classifier/py.typed']).toBeDefined();
  expect(text(`${info}/licenses/LICENSE`)).toContain('Apache License');
  expect(text(`${info}/METADATA`)).toMatch(/^License-Expression: Apache-2.0$/m);
  expect(text(`${info}/METADATA`)).toMatch(/^Requires-Dist: pylsl>=[\d.]+; extra == 'lsl'$/m);
  expect(text(`${info}/entry_points.txt`)).toContain('eeg-classifier = eeg_task_classifier.cli.main:run');
});

it('serves a tarball with the built TypeScript client', async () => {
  const bytes = gunzipSync((await get(tarball)).rawPayload);
  const names: string[] = [];
  for (let at = 0; bytes[at];) {
    names.push(bytes.toString('latin1', at, at + 100).replaceAll('\0', ''));
    at += 512 * (1 + Math.ceil(Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8) / 512));
  }
  expect(names).toContain('package/LICENSE');
  expect(names.filter((name) => name.endsWith('.js')).length).toBe(
    names.filter((each) => each.endsWith('.d.ts')).length,
  );
  expect(bytes.toString()).not.toMatch(/from '\.\/[\w-]+\.ts'/);
});

it('builds the same bytes again', async () => {
  const again = await startTestApi({}, { inProcess: true });
  for (const path of [wheel, tarball])
    expect((await again.app.inject({ method: 'GET', url: path })).rawPayload.equals((await get(path)).rawPayload)).toBe(
      true,
    );
  await again.close();
});
