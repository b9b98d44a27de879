import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { createJobs } from '../../api/jobs/jobs.ts';

test('the answer of a fit that ends while Postgres is unreachable is polled, and sent afterwards', async () => {
  const answer = { status: 201, body: '{}', microUsd: 0n };
  const start = performance.now();
  let asked = 0;
  const pool = {
    async query(text: string) {
      if (!text.includes('finished_at IS NOT NULL')) return { rows: [], rowCount: 0 };
      asked += 1;
      if (asked === 1) return { rows: [] };
      if (performance.now() < start + 300) throw new Error('connect ECONNREFUSED');
      return { rows: [answer] };
    },
  } as unknown as Pool;
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { start: async () => ({ result: async () => undefined }) },
  } as unknown as Client;
  const request = { jobId: 'job', modelId: 'model', source: { staged: 'x' }, candidates: [] } as unknown as FitRequest;
  expect(await createJobs({ client, pool }).runFit(request)).toEqual(answer);
  expect(asked).toBe(3);
});
