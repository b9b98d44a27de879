import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { downloadPinned } from '../../infra/embedded/pinned-download.ts';
import { temporalCliArchive } from '../../infra/embedded/temporal-cli.ts';

const member = 'release/program';
let folder: string;
let archive: Buffer;
let server: Server;
let url: string;
let said: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pinned-'));
  mkdirSync(join(folder, 'release'));
  writeFileSync(join(folder, member), '#!/bin/sh\necho here\n');
  execFileSync('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'release']);
  archive = readFileSync(join(folder, 'a.tar.gz'));
  server = createServer(({ url: path }, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/archive' }).end();
    else if (path === '/archive') response.end(archive);
    else if (path === '/slow') response.write(archive.subarray(0, 10));
    else if (path === '/absent') response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  said = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const sha256 = (): string => createHash('sha256').update(archive).digest('hex');
const download = (path: string, name: string, pinned = sha256(), file = member): Promise<boolean> =>
  downloadPinned(
    { url: url + path, sha256: pinned, member: file },
    join(folder, name, 'program'),
    { line: (line) => said.push(line), status: () => undefined },
    { firstByteSeconds: 0.5, wholeSeconds: 0.5 },
  );

it.each(['/archive', '/moved'])('puts the program of the pinned archive in place, from %s', async (path) => {
  const name = `whole${path.slice(1)}`;
  expect(await download(path, name)).toBe(true);
  expect(execFileSync(join(folder, name, 'program'), { encoding: 'utf8' })).toBe('here\n');
  expect(statSync(join(folder, name, 'program')).mode & 0o777).toBe(0o755);
  expect(readdirSync(join(folder, name))).toEqual(['program']);
});

it('uses nothing of another archive, and names its hash', async () => {
  expect(await download('/archive', 'other', '0'.repeat(64))).toBe(false);
  expect(readdirSync(join(folder, 'other'))).toEqual([]);
  expect(said.join()).toContain(`is not what is pinned and is not used: its SHA-256 is ${sha256()}`);
});

it('leaves no file if the archive lacks the program', async () => {
  expect(await download('/archive', 'lacking', sha256(), 'release/none')).toBe(false);
  expect(readdirSync(join(folder, 'lacking'))).toEqual([]);
  expect(said.join()).toContain('could not be unpacked');
});

it.each(['/absent', '/slow', '/silent'])('gives up on %s', async (path) => {
  expect(await download(path, `gone${path.slice(1)}`)).toBe(false);
  expect(readdirSync(join(folder, `gone${path.slice(1)}`))).toEqual([]);
});

it('names the published Temporal CLI of each supported system, and no other', () => {
  expect(temporalCliArchive('linux-x64')?.url).toMatch(
    /^https:.*\/v1\.5\.1\/temporal_cli_1\.5\.1_linux_amd64\.tar\.gz$/,
  );
  expect(temporalCliArchive('darwin-arm64')?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(temporalCliArchive('win32-x64')).toBeNull();
});
