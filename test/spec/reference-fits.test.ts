import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '@temporalio/client';
import {
  fitKeyOf,
  readFit,
  completeFit,
  endFit,
  forgetFit,
  recordFitProgress,
} from '../../infra/records/reference-fits/fits.ts';
import { peopleUsed } from '../../infra/records/reference-data/prepare.ts';
import { askForFit } from '../../api/jobs/ask-for-fit.ts';
import { queueFit } from '../../infra/records/reference-fits/queue-fit.ts';
import { removeUnusedFits } from '../../infra/records/reference-fits/unused-fits.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { storePeople } from '../support/stored-reference-people.ts';

let db: TestDatabase;
let asked: string[];
let people: Awaited<ReturnType<typeof peopleUsed>>;
beforeAll(async () => {
  db = await createTestDatabase();
  await storePeople(db.pool, key, 5, start);
  people = await peopleUsed(db.pool, key);
});
afterAll(() => db?.drop());
beforeEach(async () => {
  asked = [];
  await db.admin.query('DELETE FROM reference_fits');
});

/** Writes down what would be started. */
const client = {
  workflow: {
    async start(type: string, { workflowId }: { workflowId: string }) {
      asked.push(`${type} ${workflowId}`);
    },
  },
} as unknown as Client;

const key = { set: 'eegmmidb', version: '1.0.0', task: 'left-right-fist-imagined' };
const start = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);
const wanted = {
  ...key,
  classes: ['left_fist_imagined', 'right_fist_imagined'],
  shape: { channelNames: ['C3', 'Cz', 'C4'], seconds: 4, sourceRateHz: 250 },
};
const ofLength = (seconds: number) => ({ ...wanted, shape: { ...wanted.shape, seconds } });
const request = { ...wanted, key: fitKeyOf(wanted, [{ ref: 'a' }]) };
const ask = (at: Date, { of = wanted, start: starts = true, accountId = null as string | null } = {}) =>
  askForFit({ pool: db.pool, client }, of, { at, start: starts, accountId });
const rows = async (): Promise<number> => (await db.pool.query('SELECT FROM reference_fits')).rowCount!;

describe('the state of a fit', () => {
  it('is found again only by the same shape of the same people', () => {
    expect(fitKeyOf({ ...wanted }, [{ ref: 'a' }])).toBe(request.key);
    const others = [
      fitKeyOf(wanted, [{ ref: 'b' }]),
      fitKeyOf({ ...wanted, task: 'x' }, [{ ref: 'a' }]),
      fitKeyOf({ ...wanted, classes: [...wanted.classes].reverse() }, [{ ref: 'a' }]),
      fitKeyOf(ofLength(3), [{ ref: 'a' }]),
    ];
    expect(new Set([request.key, ...others]).size).toBe(5);
  });

  it('is one for all lengths of as many whole samples', async () => {
    const lengths = [4, 3.9999, 4 + 1e-9, 1023.1 / 256];
    const keys = await Promise.all(lengths.map(async (seconds) => (await ask(start, { of: ofLength(seconds) })).key));
    expect([new Set(keys).size, await rows()]).toEqual([1, 1]);
    const { rows: kept } = await db.pool.query("SELECT request->'shape'->'seconds' AS seconds FROM reference_fits");
    expect(kept).toEqual([{ seconds: 4 }]);
    expect((await ask(start, { of: ofLength(4.002) })).key).not.toBe(keys[0]);
  });

  it('is requested once, and stored with its evidence', async () => {
    const first = await ask(start);
    expect(first).toMatchObject({ status: 'queued', key: fitKeyOf(wanted, people) });
    await ask(after(10));
    expect(asked).toEqual([`fitReference reference/eegmmidb/1.0.0/${first.key}`]);
    await recordFitProgress(db.pool, first.key, 0, after(10));
    await recordFitProgress(db.pool, first.key, 0.5, after(30));
    expect((await readFit(db.pool, first.key, after(30))).estimatedSeconds).toBe(20);
    const result = { ref: 'reference/x', pins: ['p'], evidence: { people: 8 } as never };
    expect(await completeFit(db.pool, first.key, result, after(40))).toBe(true);
    expect(await ask(after(9999))).toMatchObject({ status: 'ready', result });
    await queueFit(db.pool, { ...wanted, key: first.key }, 5, after(9999));
    await endFit(db.pool, first.key, { retryable: true, reason: 'x' }, after(9999));
    await recordFitProgress(db.pool, first.key, 0.1, after(9999));
    expect((await readFit(db.pool, first.key)).status).toBe('ready');
  });

  it('is started while fewer than four others run, however many are requested at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((of) => ask(start, { of: ofLength(of) })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['queued']));
    expect([asked.length, await rows()]).toEqual([4, 4]);
    expect(await ask(after(1))).toMatchObject({ status: 'queued' });
    const { rows: under } = await db.pool.query<{ key: string }>('SELECT key FROM reference_fits');
    await endFit(db.pool, under[0].key, { retryable: true, reason: 'x' }, after(2));
    await ask(after(3), { of: ofLength(9) });
    expect(asked).toHaveLength(5);
    expect(await queueFit(db.pool, { ...wanted, key: under[1].key }, 5, after(4))).toBe(true);
  });

  it('is started while fewer than two others of its account run, so that other accounts get their turn', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const answers = await Promise.all([1, 2, 3, 4].map((of) => ask(start, { of: ofLength(of), accountId: one })));
    expect(answers.every(({ status, estimatedSeconds }) => status === 'queued' && estimatedSeconds! > 0)).toBe(true);
    expect([asked.length, await rows()]).toEqual([2, 2]);
    await ask(after(1), { of: ofLength(5), accountId: other });
    expect(asked).toHaveLength(3);
    const { rows: under } = await db.pool.query('SELECT key FROM reference_fits WHERE account_id = $1', [one]);
    await endFit(db.pool, under[0].key, { retryable: true, reason: 'x' }, after(2));
    await ask(after(3), { of: ofLength(6), accountId: one });
    expect(asked).toHaveLength(4);
  });

  it('is refused while fewer people are prepared than evidence needs', async () => {
    await storePeople(db.pool, key, 4, start);
    expect(await ask(start)).toMatchObject({
      status: 'failed',
      retryable: true,
      reason: '4 people are prepared at present, and 5 are needed.',
    });
    expect([asked, await rows()]).toEqual([[], 0]);
    await storePeople(db.pool, key, 5, start);
    expect((await ask(start)).status).toBe('queued');
  });

  it('whose object is gone is made again', async () => {
    const { key: made } = await ask(start);
    const result = { ref: 'reference/gone', pins: [], evidence: {} as never };
    await completeFit(db.pool, made, result, after(1));
    await forgetFit(db.pool, 'reference/gone');
    expect(await completeFit(db.pool, made, result, after(1))).toBe(false);
    await ask(after(2));
    expect(asked).toHaveLength(2);
  });

  it('that failed says why, and may be tried again', async () => {
    await queueFit(db.pool, request, 5, start);
    await endFit(db.pool, request.key, { retryable: true, reason: 'No people.' }, after(1));
    expect(await readFit(db.pool, request.key, after(2))).toMatchObject({ reason: 'No people.', due: false });
    expect(await readFit(db.pool, request.key, after(32))).toMatchObject({ status: 'failed', due: true, result: null });
  });
});

describe('unused fits', () => {
  const day = 86_400;
  const deleted: string[] = [];
  const tidy = async (at: Date) => {
    deleted.length = 0;
    const objects = { delete: async (name: string) => void deleted.push(name) };
    return [await removeUnusedFits({ pool: db.pool, objects }, at), ...deleted.toSorted()];
  };
  const ready = async (seconds: number, at: Date): Promise<string> => {
    const { key: made } = await ask(at, { of: ofLength(seconds) });
    await completeFit(db.pool, made, { ref: `reference/${seconds}`, pins: [], evidence: {} as never }, at);
    return made;
  };
  const begin = (request: object) =>
    db.admin.query(
      `INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at)
       VALUES (gen_random_uuid(), 'clf_1', gen_random_uuid(), $1, $2)`,
      [JSON.stringify(request), start],
    );

  it('are removed with their objects after 30 days', async () => {
    await ready(1, start);
    await ready(2, start);
    await ask(after(2 * day), { of: ofLength(2), start: false });
    expect(await tidy(after(30 * day))).toEqual([{ unused: 0, outdated: 0 }]);
    expect(await tidy(after(30 * day + 1))).toEqual([{ unused: 1, outdated: 0 }, 'reference/1']);
    expect([await tidy(after(31 * day)), await rows()]).toEqual([[{ unused: 0, outdated: 0 }], 1]);
  });

  it('are removed after a day if the people have changed', async () => {
    await ready(1, start);
    await storePeople(db.pool, key, 5, start, 'anew');
    const kept = await ready(2, start);
    expect(await tidy(after(day))).toEqual([{ unused: 0, outdated: 0 }]);
    expect(await tidy(after(day + 1))).toEqual([{ unused: 0, outdated: 1 }, 'reference/1']);
    expect((await readFit(db.pool, kept)).status).toBe('ready');
    await storePeople(db.pool, key, 4, start);
    await db.admin.query("UPDATE reference_preparations SET status = 'running'");
    expect(await tidy(after(2 * day))).toEqual([{ unused: 0, outdated: 0 }]);
    await storePeople(db.pool, key, 5, start);
  });

  it('stay while a job uses them, or while they are being made', async () => {
    await ready(1, start);
    await ready(2, start);
    await ask(start);
    const [early, late] = [after(40 * day), after(41 * day)];
    await db.admin.query("UPDATE reference_fits SET updated_at = $1 WHERE status = 'queued'", [early]);
    await begin({ source: { reference: 'reference/1' } });
    await begin({ source: { staged: 'x' }, reference: { ref: 'reference/2', classes: [] } });
    expect(await tidy(early)).toEqual([{ unused: 0, outdated: 0 }]);
    await db.admin.query("UPDATE fit_requests SET finished_at = $1, status = 201, body = ''", [early]);
    const [counts, ...names] = await tidy(late);
    expect([counts, names.slice(0, 2)]).toEqual([{ unused: 3, outdated: 0 }, ['reference/1', 'reference/2']]);
    expect(names[2]).toContain('/fits/');
  });
});
