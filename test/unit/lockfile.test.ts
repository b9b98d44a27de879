import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly version: string;
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
