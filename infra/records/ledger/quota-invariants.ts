import type { Invariant } from './invariants.ts';

/** Invariants of the counters that quotas read. */
export const quotaInvariants: readonly Invariant[] = [
  {
    invariant: 'the stored answers of a day are those that were counted',
    query: `
      SELECT format('stored_answer_days %s %s', account_id, day) AS row,
             format('counted %s answers of %s bytes, stored %s of %s', coalesce(d.answers, 0), coalesce(d.bytes, 0),
                    coalesce(s.answers, 0), coalesce(s.bytes, 0)) AS problem
      FROM stored_answer_days d FULL JOIN (
        SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS answers, sum(response_bytes) AS bytes
        FROM idempotency_keys WHERE state = 'done' GROUP BY 1, 2) s USING (account_id, day)
      WHERE d.answers IS DISTINCT FROM s.answers OR d.bytes IS DISTINCT FROM s.bytes`,
  },
  {
    invariant: 'the bytes of a collecting model are the sum of its batches',
    query: `
      SELECT format('task_models %s', m.id) AS row,
             format('counted %s bytes, its batches have %s', m.batch_bytes, coalesce(sum(b.bytes), 0)) AS problem
      FROM task_models m LEFT JOIN task_model_batches b ON b.model_id = m.id
      WHERE m.status = 'collecting' GROUP BY m.id HAVING m.batch_bytes <> coalesce(sum(b.bytes), 0)`,
  },
];
