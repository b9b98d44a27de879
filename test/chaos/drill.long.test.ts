import { expect, it } from 'vitest';
import { drill } from '../drill/drill.ts';
import { findPrograms } from '../drill/programs.ts';
import { warnMissing } from '../support/fetched-tool.ts';

it(
  'a cluster on PgBouncer and a Temporal server on Postgres loses and charges nothing twice when they are killed',
  { timeout: 300_000 },
  async ({ skip }) => {
    const programs = await findPrograms(false);
    if ('missing' in programs) {
      warnMissing('The cluster of npm run drill', programs.missing);
      skip();
      return;
    }
    const report = await drill(programs, true, () => undefined);
    const allowed = /^(20\d ok|503 \w+ with Retry-After|409 CONFLICT with Retry-After|ECONNREFUSED|ECONNRESET)$/;
    expect(Object.keys(report.seen).filter((result) => !allowed.test(result))).toEqual([]);
    expect(report.answered.creates).toBeGreaterThan(2);
  },
);
