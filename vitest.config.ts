import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[], extra: object = {}) => ({
  test: { name, include, testTimeout: 60_000, hookTimeout: 240_000, ...extra },
});

/** `unit` needs nothing; `stack` starts real servers (Postgres, Temporal) once and shares them between files. */
export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/ml/**/*.test.ts', 'test/unit/**/*.test.ts'], { pool: 'threads' }),
      project(
        'stack',
        ['test/spec/**/*.test.ts', 'test/workflows/**/*.test.ts', 'test/e2e/**/*.test.ts', 'test/chaos/**/*.test.ts'],
        {
          pool: 'forks',
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 180_000,
        },
      ),
    ],
  },
});
