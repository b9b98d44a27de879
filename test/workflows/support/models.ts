import { randomBytes } from 'node:crypto';
import type { KeyMode } from '../../../infra/contract/task-model.ts';
import { capture, reserve } from '../../../infra/records/ledger/holds.ts';
import { activate, markCleaned } from '../../../infra/records/task-models/transitions.ts';
import { insertCollecting, insertFitting, readStored } from '../../../infra/records/task-models/models.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import type { World } from './world.ts';

export const day = 86_400_000;
export const modelId = (): string => `clf_${randomBytes(16).toString('hex')}`;

export const newModel = (id: string, accountId: string, mode: KeyMode, at: Date) => ({
  id,
  accountId,
  mode,
  name: null,
  description: 'left vs right hand',
  taskKind: 'motor' as const,
  classes: ['left', 'right'],
  channels: ['C3', 'Cz', 'C4'],
  signal: {
    sampling_rate_hz: 128,
    resampled_to_hz: 256,
    trials: 20,
    channels: 3,
    samples_per_trial: 512,
    seconds_per_trial: 2,
    units: 'uV',
    renamed_channels: {},
    warnings: [],
  },
  expiresAt: null,
  at,
});

/** A model that was fitted and paid at the instant, with its object stored; its workflow is running. */
export async function hostedModel(
  world: World,
  accountId: string,
  o: { mode?: KeyMode; at?: number } = {},
): Promise<{ id: string; fittedAt: number }> {
  const id = modelId();
  const mode = o.mode ?? 'live';
  const at = new Date(o.at ?? (await world.now()));
  await world.objects.put(`models/${id}/job`, new Uint8Array([1]));
  await transaction(world.db.pool, async (sql) => {
    const holdId = await reserve(sql, { accountId, mode, modelId: id, at });
    await insertFitting(sql, newModel(id, accountId, mode, at));
    await activate(sql, {
      pins: [],
      id,
      fittedAt: at,
      method: { id: 'tangent-logistic', version: '1', title: 'Tangent space' },
      classes: ['left', 'right'],
      trainingReport: { balanced_accuracy: 0.9, chance: 0.5 },
      modelRef: `models/${id}/job`,
    });
    await capture(sql, holdId, { modelId: id, accountId, mode, at, fittedAt: at });
    await markCleaned(sql, id, 'features');
  });
  await world.jobs.refresh(id);
  return { id, fittedAt: at.getTime() };
}

/** A model that collects, with the features of one batch stored; its workflow is running. */
export async function collectingModel(
  world: World,
  accountId: string,
  mode: KeyMode = 'live',
): Promise<{ id: string; createdAt: number }> {
  const id = modelId();
  const at = new Date(await world.now());
  await world.objects.put(`features/${id}/1`, new Uint8Array([1]));
  await insertCollecting(world.db.pool, newModel(id, accountId, mode, at));
  await world.jobs.startCollecting({ modelId: id });
  return { id, createdAt: at.getTime() };
}

export const stored = (world: World, id: string) => readStored(world.db.pool, id);

/** Seconds that a busy machine needs to charge what is due: the server's clock runs while workers work. */
const atWork = 10;

/** Ledger charges of a model: kind, period, and when after `origin`, as days and, where it was late, seconds. */
export async function charges(world: World, id: string, origin: number): Promise<string[]> {
  const { rows } = await world.db.pool.query<{ kind: string; period: number | null; at: Date }>(
    `SELECT kind, period, at FROM ledger_transactions WHERE model_id = $1 AND kind LIKE 'task_models.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ kind, period, at }) => {
    const seconds = Math.floor((at.getTime() - origin) / 1000);
    const rest = seconds % 86_400;
    return (
      `${kind.slice('task_models.'.length)} ${period} day ` +
      `${(seconds - rest) / 86_400}${rest > atWork ? ` + ${rest} s` : ''}`
    );
  });
}

export const objectNames = async (world: World): Promise<string[]> =>
  (await world.objects.list('')).map(({ name }) => name);
