import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of `npm run test:long` that take more than a minute, the longest first. The first two run at the same time: one
 * waits for a clock most of its time, the other computes.
 */
export const longest: readonly string[] = [
  'test/clients/python.long.test.ts',
  'test/spec/money-model.random.test.ts',
  'test/ml/fooled.slow.random.test.ts',
  'test/chaos/hostile-tenants.long.test.ts',
  'test/chaos/many-processes.long.test.ts',
  'test/pages/models.long.test.ts',
  'test/ml/noise-designs.slow.random.test.ts',
  'test/e2e/deploy-files.long.test.ts',
  'test/chaos/limits-of-two-apis.long.test.ts',
  'test/e2e/recipes.long.test.ts',
  'test/e2e/guard.long.test.ts',
  'test/chaos/rolling-update.long.test.ts',
  'test/e2e/deploy-processes.long.test.ts',
  'test/spec/hostile-bodies.random.test.ts',
  'test/pages/documentation.long.test.ts',
  'test/chaos/large-study.long.test.ts',
  'test/spec/idempotency.random.test.ts',
  'test/clients/generated.long.test.ts',
  'test/clients/recipes.long.test.ts',
  'test/pages/account.long.test.ts',
  'test/ml/corrected.slow.random.test.ts',
  'test/chaos/kill-preparation.test.ts',
  'test/chaos/kill-worker.test.ts',
  'test/chaos/restart.long.test.ts',
];

/**
 * Begins with the longest files, so that no worker ends the run alone with one of them. Vitest knows durations only from
 * an earlier run on the same checkout; without one it begins with the largest files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.indexOf(relative(root, moduleId));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
