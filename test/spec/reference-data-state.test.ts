import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '@temporalio/client';
import { readPreparation } from '../../infra/records/reference-data/preparations.ts';
import { askForPreparation } from '../../api/jobs/ask-for-preparation.ts';
import { secondsLeft } from '../../infra/records/reference-data/estimate.ts';
import {
  beginPerson,
  beginPreparation,
  endPreparation,
  faultyPeople,
  peopleUsed,
  recordPerson,
  recordPersonProgress,
  undoPreparation,
} from '../../infra/records/reference-data/prepare.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
let asked: string[];
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  asked = [];
  await db.admin.query('DELETE FROM reference_preparations');
});

/** Writes down what would be started. */
const client = {
  workflow: {
    async signalWithStart(type: string, { workflowId, signalArgs }: { workflowId: string; signalArgs: unknown[] }) {
      asked.push(`${type} ${workflowId} ${JSON.stringify(signalArgs)}`);
    },
  },
} as unknown as Client;

const key = { set: 'eegmmidb', version: '1.0.0', task: 'left-right-fist-imagined' };
const start = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);
const ask = (at: Date, more: object = {}) =>
  askForPreparation({ pool: db.pool, client, inPlace: true }, key, { at, ...more });
const found = ['S001', 'S002', 'S003', 'S004'].map((person) => ({ person, files: 3, bytes: 1e6 }));
const used = (person: string, seconds: number | null = 10) => ({
  status: 'used' as const,
  ref: `reference/x/${person}`,
  own: person === 'S002',
  reason: null,
  files: 3,
  bytes: 1e6,
  seconds,
});

describe('the state of a reference task', () => {
  it('is started by the first caller only', async () => {
    expect(await readPreparation(db.pool, key)).toMatchObject({ status: 'absent', due: true });
    const states = await Promise.all(Array.from({ length: 10 }, () => ask(start)));
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['queued']));
    expect(states[0].estimatedSeconds).toBeGreaterThan(10);
    expect(new Set(asked)).toEqual(new Set(['prepareReference reference/eegmmidb/1.0.0 ["left-right-fist-imagined"]']));
    asked.length = 0;
    await ask(after(59));
    expect(asked).toEqual([]);
    await ask(after(61));
    expect(asked).toHaveLength(1);
  });

  it('reports the progress, and estimates the remaining time from it', async () => {
    await ask(start);
    await beginPreparation(db.pool, key, found, { people: 105, secondsPerByte: 1e-6 }, start);
    expect(await readPreparation(db.pool, key, start)).toMatchObject({
      status: 'running',
      estimatedSeconds: 2,
      progress: { people: { done: 0, total: 4 }, files: { done: 0, total: 12 }, bytes: { done: 0, total: 4e6 } },
    });
    await beginPerson(db.pool, key, 'S001', start);
    await recordPersonProgress(db.pool, key, 'S001', { files: 1, bytes: 4e5 }, after(5));
    expect((await readPreparation(db.pool, key, after(5))).progress?.bytes.done).toBe(4e5);
    await recordPerson(db.pool, key, 'S001', used('S001'), after(10));
    await beginPerson(db.pool, key, 'S002', after(10));
    const seen = { usualSecondsPerByte: 1e-6, people: 4, bytes: 4e6, computed: { bytes: 1e6, seconds: 10 } };
    const rest = { people: 3, bytes: 3e6, runningSeconds: 0 };
    expect((await readPreparation(db.pool, key, after(10))).estimatedSeconds).toBe(
      Math.ceil(secondsLeft({ ...seen, left: rest })),
    );
    for (const { person } of found.slice(1)) await recordPerson(db.pool, key, person, used(person), after(20));
    await endPreparation(db.pool, key, { status: 'ready', retryable: false, reason: null }, after(21));
    expect(await readPreparation(db.pool, key, after(9999))).toMatchObject({
      status: 'ready',
      due: false,
      estimatedSeconds: null,
      people: { used: 4, own: 1, missing: 101, faulty: 0 },
    });
    expect((await peopleUsed(db.pool, key)).map(({ person }) => person)).toEqual(found.map(({ person }) => person));
    await ask(after(9999));
    expect(asked).toHaveLength(1);
    expect((await ask(after(9999), { when: 'always' })).status).toBe('queued');
  });

  it('names the faulty people, and may be tried again after a while', async () => {
    await ask(start);
    await beginPreparation(db.pool, key, found.slice(0, 2), { people: 105, secondsPerByte: 1e-6 }, start);
    const reason = 'x.edf is cut short.';
    await recordPerson(db.pool, key, 'S001', { ...used('S001'), status: 'faulty', ref: null, reason }, after(1));
    await recordPerson(db.pool, key, 'S002', { ...used('S002'), status: 'missing', ref: null, bytes: 0 }, after(1));
    await endPreparation(db.pool, key, { status: 'failed', retryable: false, reason }, after(2));
    expect(await faultyPeople(db.pool, key)).toEqual([{ person: 'S001', status: 'faulty', reason }]);
    expect(await readPreparation(db.pool, key, after(3))).toMatchObject({
      status: 'failed',
      retryable: false,
      reason,
      due: false,
      people: { used: 0, own: 0, missing: 104, faulty: 1 },
    });
    expect((await ask(after(300))).status).toBe('failed');
    expect((await ask(after(303))).status).toBe('queued');
    await beginPreparation(db.pool, key, found.slice(1, 3), { people: 105, secondsPerByte: 1e-6 }, after(310));
    expect((await readPreparation(db.pool, key, after(310))).progress?.people).toEqual({ done: 0, total: 2 });
  });

  it('stays final, whatever a late activity writes', async () => {
    const state = async () => {
      const { rows } = await db.pool.query('SELECT person, status, files FROM reference_people ORDER BY person');
      return [(await readPreparation(db.pool, key, after(9))).status, ...rows];
    };
    const late = async (): Promise<void> => {
      await recordPersonProgress(db.pool, key, 'S001', { files: 1, bytes: 1 }, after(5));
      await beginPerson(db.pool, key, 'S001', after(5));
    };
    await ask(start);
    await beginPreparation(db.pool, key, found.slice(0, 1), { people: 105, secondsPerByte: 1e-6 }, start);
    await beginPerson(db.pool, key, 'S001', start);
    const { person } = found[0];
    expect(await recordPerson(db.pool, key, person, used(person), after(1))).toBe(true);
    await late();
    expect(await state()).toEqual(['running', { person, status: 'used', files: 3 }]);
    const failed = { status: 'failed', retryable: true, reason: 'It was cancelled.' } as const;
    await recordPerson(
      db.pool,
      key,
      person,
      { ...used(person), status: 'interrupted', ref: null, reason: 'x' },
      after(2),
    );
    await endPreparation(db.pool, key, failed, after(3));
    await late();
    expect(await recordPerson(db.pool, key, person, used(person), after(5))).toBe(false);
    await endPreparation(db.pool, key, { status: 'ready', retryable: false, reason: null }, after(5));
    const again = { people: 105, secondsPerByte: 1e-6 };
    expect(await beginPreparation(db.pool, key, found, again, after(5))).toBe(false);
    expect(await state()).toEqual(['failed', { person, status: 'interrupted', files: 3 }]);
    await ask(after(99));
    await undoPreparation(db.pool, key, 'Features are gone.', after(99));
    expect((await readPreparation(db.pool, key, after(99))).status).toBe('queued');
    expect(await beginPreparation(db.pool, key, found, again, after(99))).toBe(true);
    await endPreparation(db.pool, key, { status: 'ready', retryable: false, reason: null }, after(100));
    await undoPreparation(db.pool, key, 'Features are gone.', after(101));
    expect(await readPreparation(db.pool, key, after(101))).toMatchObject({ status: 'failed', retryable: true });
  });

  it('keeps finished people if an older survey of the source ends late', async () => {
    const expected = { people: 105, secondsPerByte: 1e-6 };
    await ask(start);
    expect(await beginPreparation(db.pool, key, found.slice(0, 2), expected, after(20))).toBe(true);
    await recordPerson(db.pool, key, 'S001', used('S001'), after(30));
    expect(await beginPreparation(db.pool, key, found, expected, after(10))).toBe(false);
    expect((await readPreparation(db.pool, key, after(40))).progress?.people).toEqual({ done: 1, total: 2 });
    expect((await peopleUsed(db.pool, key)).map(({ person }) => person)).toEqual(['S001']);
    expect(await beginPreparation(db.pool, key, found, expected, after(50))).toBe(true);
    expect((await readPreparation(db.pool, key, after(50))).progress?.people).toEqual({ done: 0, total: 4 });
  });

  it('counts the tasks that are prepared before it', async () => {
    const other = { ...key, task: 'eyes-open-closed' };
    const alone = (await ask(start)).estimatedSeconds!;
    const behind = await askForPreparation({ pool: db.pool, client, inPlace: true }, other, { at: after(1) });
    expect(behind.estimatedSeconds).toBeGreaterThan(alone);
    expect((await readPreparation(db.pool, key, after(1))).estimatedSeconds).toBe(alone);
  });

  it('exists only for tasks of the catalogue', async () => {
    await expect(
      ask(start, {}).then(() => askForPreparation({ pool: db.pool, client }, { ...key, task: 'x' })),
    ).rejects.toThrow('There is no task "x" of eegmmidb 1.0.0.');
  });
});
