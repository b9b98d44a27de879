import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

const project = (name: string, include: string[], extra: object = {}) => ({
  test: { name, include, testTimeout: 60_000, hookTimeout: 240_000, expect: { poll: { timeout: 30_000 } }, ...extra },
});

const inProcess = ['test/unit', 'test/ml'];
const onServers = ['test/spec', 'test/workflows', 'test/e2e', 'test/pages', 'test/clients', 'test/chaos'];
const isLong = process.env['TEST_LONG'] === '1';
/**
 * A machine of a CI may stall for seconds; random tests keep their seed, so that a second attempt hides none of them.
 */
const retry = Number(process.env['TEST_ATTEMPTS'] ?? 1) - 1;
const isSlow = '.slow{,.random}.test.ts';

/**
 * `unit` needs nothing and takes seconds; `slow` needs nothing either, but seconds for each file (`*.slow.test.ts`);
 * `stack` starts real servers (Postgres, Temporal) once and shares them between files, each with a database of its own;
 * its files share the modules of their process, which takes a second to load. Files named `*.random.test.ts`, and
 * `test/chaos`, are those that `npm run test:long` runs with their full counts; it alone runs `*.long.test.ts`.
 */
export default defineConfig({
  test: {
    // Vitest leaves one core free, which on two would leave one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: isLong ? { sequencer: LongestFirst } : {},
    projects: [
      project(
        'unit',
        inProcess.map((folder) => `${folder}/**/*.test.ts`),
        { pool: 'threads', isolate: false, exclude: [`**/*${isSlow}`] },
      ),
      project(
        'slow',
        inProcess.map((folder) => `${folder}/**/*${isSlow}`),
        { pool: 'threads', isolate: isLong, testTimeout: 300_000 },
      ),
      project(
        'stack',
        onServers.map((folder) => `${folder}/**/*.test.ts`),
        {
          retry,
          pool: 'forks',
          isolate: isLong,
          exclude: isLong ? [] : ['**/*.long.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 180_000,
        },
      ),
    ],
  },
});
