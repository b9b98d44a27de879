import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { longest } from '../support/longest-first.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('the test files that run first exist, and each is listed once', () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});
