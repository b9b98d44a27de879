import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@temporalio/client';
import { Client as Connection } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { simulatedForms } from '../../activities/compute/simulated.ts';
import { tasks } from '../../activities/compute/tasks.ts';
import { rehearseFits, type ActivityDeps } from '../../activities/index.ts';
import { createObjectStore } from '../../infra/drivers/objects/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'eeg-rehearsal-'));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const done: string[] = [];

/** The quickest form, and threads that do their tasks where they are asked; `othersLoad`: tasks of others. */
const forms = simulatedForms.filter(({ kind }) => kind === 'sleep');
const depsWith = (othersLoad = 0): ActivityDeps => ({
  pool: database.pool,
  objects: createObjectStore({ url: pathToFileURL(folder).href, keys: [new Uint8Array(32)] }),
  client: {} as Client,
  reference: { url: null, cacheDir: 'nowhere' },
  threads: {
    run: async (task, payload) => {
      done.push(task);
      return (tasks[task] as (input: unknown) => any)(payload);
    },
    size: 1,
    load: othersLoad,
    loadOf: () => 0,
    warm: true,
    whenWarm: Promise.resolve(),
    close: async () => undefined,
  },
});

it('a rehearsed fit goes from staged trials to its report, and nothing of it stays', async () => {
  const deps = depsWith();
  const asked = vi.spyOn(Connection.prototype, 'query');
  await rehearseFits(deps, forms);
  const statements = asked.mock.calls.map(([each]) => (each as unknown as { text: string }).text);
  asked.mockRestore();
  for (const part of ['INSERT INTO fit_candidates', "status = 'active'", 'INSERT INTO ledger_entries', 'pg_notify'])
    expect(statements.some((each) => each.includes(part))).toBe(true);
  expect(statements.filter((each) => each === 'COMMIT')).toEqual([]);
  for (const task of ['unpack', 'extract', 'join', 'score', 'refit', 'report']) expect(done).toContain(task);

  expect(await deps.objects.list('')).toEqual([]);
  for (const table of ['task_models', 'fit_requests', 'fit_candidates', 'holds', 'ledger_transactions', 'accounts'])
    expect((await database.admin.query(`SELECT FROM ${table}`)).rows).toEqual([]);
});

it('it is over as soon as others need the threads', async () => {
  done.length = 0;
  const deps = depsWith(1);
  await expect(rehearseFits(deps, forms)).resolves.toBeUndefined();
  expect(done).toEqual([]);
  expect(await deps.objects.list('')).toEqual([]);
});
