import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};

it('locks the optional packages of every platform, without which `npm ci` refuses the lock', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => ![`${path}/node_modules/${name}`, `node_modules/${name}`].some((each) => packages[each]),
    ),
  );
  expect(missing).toEqual([]);
});

it('holds the integrity of every package, those of other systems included', () => {
  for (const [path, { integrity }] of Object.entries(packages))
    if (path !== '') expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/);
});

/** SHA-256 of the Node program that npm puts in place, which no lock file covers. */
const runtimes: Readonly<Record<string, string>> = {
  'linux-x64 v24.21.0': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
};
const runtime = `${process.platform}-${process.arch} ${process.version}`;

it.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'runs on the Node program that is pinned (of Linux on x64; others are not)',
  () => {
    expect(createHash('sha256').update(readFileSync(process.execPath)).digest('hex'), runtime).toBe(runtimes[runtime]);
  },
);
