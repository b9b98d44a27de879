import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tryLock, withLock } from '../../infra/embedded/lock.ts';
import { temporalCliHash } from '../../infra/embedded/temporal-build.ts';
import { findTemporalCli, type CliSearch } from '../../infra/embedded/temporal-cli.ts';

let folder: string;
let said: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const script = (path: string, text: string): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, path), 0o755);
  return join(folder, path);
};
const version = (server: string): string => `echo "temporal version 1.5.1 (Server ${server}, UI 2.42.1)"`;
const find = (more: Partial<CliSearch> = {}) =>
  findTemporalCli({
    given: null,
    path: [join(folder, 'bin')],
    cacheDir: join(folder, 'cache'),
    download: async () => false,
    progress: { line: (line) => said.push(line), status: () => undefined },
    ...more,
  });
// Stands for Go: notes each call, prints what a build prints, and "installs" a CLI into GOBIN.
const fakeGo = (hash = temporalCliHash): string =>
  script(
    'bin/go',
    [
      `[ "$1" = version ] && { printf '\\tmod\\tgithub.com/temporalio/cli\\tv1.5.1\\t${hash}\\n'; exit; }`,
      `echo "$@" >> ${join(folder, 'calls')}`,
      'echo "go: downloading modernc.org/sqlite v1.34.1" >&2',
      'echo "go.temporal.io/server/common" >&2',
      'sleep 0.3',
      `printf '#!/bin/sh\\n%s\\n' '${version('1.29.1')}' > "$GOBIN/temporal"`,
    ].join('\n'),
  );
const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

describe('finding the Temporal CLI', () => {
  it('takes TEMPORAL_CLI before one on PATH', async () => {
    script('bin/temporal', version('1.29.1'));
    const given = script('mine', version('1.30.0'));
    expect(await find({ given })).toBe(given);
  });

  it('refuses a TEMPORAL_CLI that cannot serve instead of passing over it', async () => {
    await expect(find({ given: join(folder, 'absent') })).rejects.toThrow('is not a program that can be run');
    await expect(find({ given: script('other', 'echo hello') })).rejects.toThrow('does not answer `--version`');
    await expect(find({ given: script('old', version('1.22.0')) })).rejects.toThrow(
      'holds server 1.22; at least 1.29 is needed',
    );
  });

  it('takes the one on PATH, unless it is too old', async () => {
    const usable = script('bin/temporal', version('1.29.1'));
    expect(await find()).toBe(usable);
    script('bin/temporal', version('1.20.0'));
    fakeGo();
    expect(await find()).toBe(join(folder, 'cache/temporal-v1.5.1/temporal'));
  });

  it('takes the published one before building, of the version that Go would build', async () => {
    fakeGo();
    const kept = await find({
      download: async ({ url }) => {
        expect(url).toContain('/v1.5.1/temporal_cli_1.5.1_');
        return script('cache/temporal-v1.5.1/temporal', version('1.29.1')) !== '';
      },
    });
    expect(kept).toBe(join(folder, 'cache/temporal-v1.5.1/temporal'));
    expect(existsSync(join(folder, 'calls'))).toBe(false);
  });

  it('builds once for several runs at the same time, and keeps the result', async () => {
    fakeGo();
    const found = await Promise.all([find(), find(), find()]);
    expect(new Set(found)).toEqual(new Set([join(folder, 'cache/temporal-v1.5.1/temporal')]));
    expect(await find()).toBe(found[0]);
    expect(calls()).toEqual(['install -v -ldflags=-s -w github.com/temporalio/cli/cmd/temporal@v1.5.1']);
    expect(said.join('\n')).toMatch(/Another run is preparing[^]*Built the Temporal dev server in 0:\d\d/);
  });

  it('refuses a program that Go built from other files than the pinned ones', async () => {
    fakeGo('h1:other=');
    await expect(find()).rejects.toThrow(/v1\.5\.1 h1:other=, where v1\.5\.1 h1:0RZM\S+ is pinned/);
    expect(existsSync(join(folder, 'cache/temporal-v1.5.1/temporal'))).toBe(false);
  });

  it('names the remedy if Go is missing or fails', async () => {
    await expect(find()).rejects.toThrow(/Go is not installed[^]*TEMPORAL_CLI[^]*go.dev\/dl[^]*TEMPORAL_ADDRESS/);
    script('bin/go', 'echo "no space left on device" >&2; exit 1');
    await expect(find()).rejects.toThrow(/exit code 1: no space left on device[^]*TEMPORAL_ADDRESS/);
  });
});

describe('the lock between runs', () => {
  it('is held by one at a time and can be taken again', async () => {
    const path = join(folder, 'a/lock');
    const lock = await tryLock(path);
    expect(await tryLock(path)).toBeNull();
    lock?.release();
    const order: string[] = [];
    await Promise.all(
      ['a', 'b'].map((name) =>
        withLock(
          path,
          () => order.push('wait'),
          async () => {
            order.push(`${name} in`);
            await Promise.resolve();
            order.push(`${name} out`);
          },
        ),
      ),
    );
    expect(order.filter((each) => each !== 'wait')).toEqual(
      order.indexOf('a in') < order.indexOf('b in')
        ? ['a in', 'a out', 'b in', 'b out']
        : ['b in', 'b out', 'a in', 'a out'],
    );
  });
});
