import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodersOf } from '../../api/use-cases/encoders-of.ts';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { keepReportingWeights } from '../../infra/main/report-weights.ts';
import { logUnservable } from '../../infra/main/unservable.ts';
import { silentLog, textLog } from '../../infra/observe/log.ts';
import { needsInService } from '../../infra/records/task-models/pinned.ts';
import { payDueHosting, renewUnpaid } from '../../infra/records/task-models/hosting.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { reportWeights, weightsReports, type ReporterRole } from '../../infra/records/weights-reports.ts';
import type { WeightsStatus } from '../../infra/weights/weights-status.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { openAdmin } from '../support/admin.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { day, hostingOn, start } from '../support/hosting.ts';
import { createModel, newAccount } from '../support/money.ts';

const sha256 = '5e'.repeat(32);
const pin = `weights:robust-sleep-net@${sha256}`;
const pins = ['features:robust-sleep-net@1', 'method:csp-lda@1', pin];
const words = 'the weights of robust-sleep-net with sha256 5e5e5e5e5e5e…';
const waived = [`Hosting month 2 waived: the model needs ${words}, which this service does not have`];
const charged = ['Hosting month 2 charged'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());
beforeEach(async () => {
  setInstalledWeights([]);
  await database.pool.query('DELETE FROM weights_held');
});
const { settle, spend, months, rich } = hostingOn(() => database.pool);

type Said = readonly [role: ReporterRole, weights: readonly string[], minutesAgo?: number];

/** What other processes said, this long ago. */
async function say(...all: readonly Said[]): Promise<void> {
  for (const [i, [role, weights, minutes = 0]] of all.entries()) {
    await reportWeights(database.pool, { process: `${role} ${i}`, role, weights });
    await database.pool.query(
      'UPDATE weights_held SET seen_at = now() - make_interval(mins => $2) WHERE process = $1',
      [`${role} ${i}`, minutes],
    );
  }
}
const pinned = async (id: string) =>
  await database.pool.query('UPDATE task_models SET pins = $2 WHERE id = $1', [id, pins]);

/** By which APIs live and what they hold: whether a model on weights is charged for its next month. */
const services: readonly (readonly [words: string, expected: readonly string[], said: readonly Said[]])[] = [
  ['nobody says anything, as in an older build', charged, []],
  [
    'the one API holds the weights, and the worker does not',
    charged,
    [
      ['api', [pin]],
      ['worker', []],
    ],
  ],
  [
    'one of two APIs holds them',
    charged,
    [
      ['api', []],
      ['api', [pin]],
    ],
  ],
  [
    'the one API does not hold them, though a worker does',
    waived,
    [
      ['api', []],
      ['worker', [pin]],
    ],
  ],
  [
    'the API that held them died, and another goes on',
    waived,
    [
      ['api', [pin], 4],
      ['api', [`${pin}0`]],
    ],
  ],
  [
    'no API runs, and none that did held them',
    waived,
    [
      ['api', [], 4],
      ['api', [], 50],
      ['worker', [pin]],
    ],
  ],
  [
    'no API runs, and one that did held them',
    charged,
    [
      ['api', [], 4],
      ['api', [pin], 50],
      ['worker', []],
    ],
  ],
  [
    'an API has said nothing for two minutes only',
    charged,
    [
      ['api', [pin], 2],
      ['api', []],
    ],
  ],
];

describe('a month of a model on weights that this process lacks', () => {
  it.each(services)('where %s', async (_, expected, said) => {
    await say(...said);
    const { id } = await rich();
    await pinned(id);
    expect((await settle(id, day(31))).happened).toEqual(expected);
    expect(await months(id)).toHaveLength(expected === charged ? 2 : 1);
    expect(await needsInService(database.pool, pins)).toEqual(expected === charged ? [] : [words]);
  });

  it('is waived for code that this process lacks, whatever APIs report, and needs no query without weights', async () => {
    await say(['api', [pin]]);
    expect(await needsInService(database.pool, [...pins, 'pool@99'])).toEqual(['version 99 of the pool']);
    const nobody = { query: () => Promise.reject(new Error('asked')) } as unknown as Pool;
    expect(await needsInService(nobody, ['method:csp-lda@1', 'pool@99'])).toEqual(['version 99 of the pool']);
  });

  it('that is unpaid is paid, by an operator elsewhere or by a prediction, if an API can answer', async () => {
    await say(['api', [pin]], ['worker', []]);
    const asks: readonly ((id: string, accountId: string) => Promise<unknown>)[] = [
      async (_, accountId) =>
        await runAdmin(['account', 'credit', '--account', accountId, '--usd', '5'], openAdmin(database.pool)),
      async (id, accountId) => {
        await hostingOn(() => database.pool).add(accountId, 5, day(32));
        await transaction(database.pool, async (sql) => await payDueHosting(sql, id, day(32)));
      },
      async (_, accountId) => {
        await hostingOn(() => database.pool).add(accountId, 5, day(32));
        await transaction(database.pool, async (sql) => await renewUnpaid(sql, accountId, day(32)));
      },
    ];
    for (const ask of asks) {
      const accountId = await newAccount(database.pool, start);
      const id = await createModel(database.pool, accountId, start);
      await spend(accountId, id, 1, start);
      await pinned(id);
      await settle(id, day(30));
      expect((await readStored(database.pool, id))!.unpaidSince).toEqual(day(30));
      // The operator's command knows the true time alone: the model must be within its grace then.
      await database.pool.query('UPDATE task_models SET unpaid_since = now() WHERE id = $1', [id]);
      await ask(id, accountId);
      expect((await months(id)).map(({ period }) => period)).toEqual([1, 2]);
      expect((await readStored(database.pool, id))!.unpaidSince).toBeNull();
    }
  });
});

describe('admin models pinned, and the messages at the start of a process', () => {
  const shown = async () => JSON.parse((await runAdmin(['models', 'pinned'], openAdmin(database.pool))).out!);
  const told = async (who: 'API' | 'worker'): Promise<string> => {
    const lines: string[] = [];
    await logUnservable(
      database.pool,
      who,
      textLog((line) => lines.push(line)),
    );
    return lines.join('\n');
  };

  it('use the weights of the live APIs, which the command lists with the workers; an API uses its own', async () => {
    const { id } = await rich();
    await pinned(id);
    await say(['api', [pin]], ['api', [], 4], ['worker', []]);
    expect((await shown()).processes).toEqual([
      { process: 'api 0', role: 'api', weights: [pin] },
      { process: 'worker 2', role: 'worker', weights: [] },
    ]);
    const use = expect.objectContaining({ pin, held: true });
    expect(await shown()).toMatchObject({ pins: expect.arrayContaining([use]), unservable: [] });
    expect(await told('worker')).not.toContain(id);
    expect(await told('API')).toContain(
      `This API cannot serve model ${id}: it needs ${words}, which this API does not`,
    );
    await database.pool.query('DELETE FROM weights_held');
    expect((await shown()).unservable).toEqual([]);

    await say(['api', []]);
    const { pins: uses, unservable } = await shown();
    expect(uses).toContainEqual(expect.objectContaining({ pin, held: false }));
    expect(unservable).toContainEqual(expect.objectContaining({ model_id: id, needs: [words] }));
    expect(await told('worker')).toContain(`This service cannot serve model ${id}: it needs ${words}, which this`);
  });
});

describe('a process', () => {
  it('reports its weights from its start to its end', async () => {
    setInstalledWeights([{ id: 'robust-sleep-net', hash: sha256 }]);
    const api = await keepReportingWeights(database.pool, 'api', silentLog);
    const worker = await keepReportingWeights(database.pool, 'worker', silentLog);
    const process = expect.any(String);
    expect(await weightsReports(database.pool)).toEqual([
      { process, role: 'api', weights: [pin] },
      { process, role: 'worker', weights: [pin] },
    ]);
    await api.stop();
    expect((await weightsReports(database.pool)).map(({ role }) => role)).toEqual(['worker']);
    await worker.stop();
    expect(await weightsReports(database.pool)).toEqual([]);
  });

  it('continues if the report cannot be stored', async () => {
    const warned: string[] = [];
    const away = { query: () => Promise.reject(new Error('read-only')) };
    const api = await keepReportingWeights(away, 'api', { warn: (line) => void warned.push(line) });
    await api.stop();
    expect(warned).toEqual(['This process could not report to others which pretrained weights it has.']);
  });

  it('that died is no longer counted after an hour', async () => {
    await say(['api', [pin], 61], ['worker', [pin], 59]);
    await reportWeights(database.pool, { process: 'other', role: 'api', weights: [] });
    const { rows } = await database.pool.query('SELECT process FROM weights_held ORDER BY process');
    expect(rows).toEqual([{ process: 'other' }, { process: 'worker 1' }]);
    await say(['api', [pin], 61]);
    await reportWeights(database.pool, { process: 'api 0', role: 'api', weights: [] });
    expect(await weightsReports(database.pool)).toContainEqual({ process: 'api 0', role: 'api', weights: [] });
  });
});

describe('an encoder', () => {
  const ready: WeightsStatus = {
    id: 'robust-sleep-net',
    title: 'RobustSleepNet',
    card: null,
    status: 'ready',
    reason: null,
    weights: { path: '/somewhere', sha256 },
  };
  const off: WeightsStatus = { ...ready, id: 'other', status: 'off', reason: 'switched off' };
  /** By an API that has asked nothing yet. */
  const offered = async (storedFeaturesOnly = false) => {
    const pool = { query: (text: string) => database.pool.query(text) } as unknown as Pool;
    return await encodersOf({ pool, models: () => [ready, off] }, { storedFeaturesOnly });
  };
  const tried = { 'robust-sleep-net': { hash: sha256 }, other: { reason: 'switched off' } };

  it('is tried by a create if no live worker lacks its weights', async () => {
    expect(await offered()).toEqual(tried);
    await say(['api', []], ['worker', [pin]], ['worker', [], 4]);
    expect(await offered()).toEqual(tried);
    await say(['worker', []]);
    expect(await offered()).toEqual({
      ...tried,
      'robust-sleep-net': { reason: 'weights are not installed on every worker' },
    });
  });

  it('is tried on stored features, which this API reads, whatever weights the workers have', async () => {
    await say(['worker', []]);
    expect(await offered(true)).toEqual(tried);
  });
});
