import type { KeyMode } from '../../../infra/contract/task-model.ts';
import { objectNames } from '../../../infra/contract/object-names.ts';
import { encode } from '../../../infra/drivers/codec.ts';
import { reserve } from '../../../infra/records/ledger/index.ts';
import { enqueueFit } from '../../../infra/records/fit-jobs/fit-jobs.ts';
import { addBatch, insertFitting } from '../../../infra/records/task-models/index.ts';
import { transaction } from '../../../infra/drivers/postgres/index.ts';
import type { FitRequest, StagedTrials } from '../../../infra/contract/fit-request.ts';
import { extractFeatures } from '../../../ml/features/index.ts';
import { methodOf } from '../../../ml/methods/index.ts';
import type { Trials } from '../../../ml/types.ts';
import { storedBatch } from '../../support/stored-batches.ts';
import { modelId, newModel } from './models.ts';
import type { World } from './world.ts';

/** A value that is in every trial and must be nowhere but in the encrypted objects. */
export const canary = 123.4567;

const channels = ['C3', 'Cz', 'C4'];
const samples = 256;

/** Two classes that differ in the power of one channel. */
export function trials(perClass = 10): { trials: Trials; labels: string[] } {
  const count = 2 * perClass;
  const data = new Float32Array(count * channels.length * samples);
  let state = 1;
  const noise = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  const labels = Array.from({ length: count }, (_, t) => (t % 2 ? 'right' : 'left'));
  for (let i = 0; i < data.length; i++) {
    const trial = Math.floor(i / (channels.length * samples));
    const channel = Math.floor(i / samples) % channels.length;
    const strong = channel === (trial % 2 ? 2 : 0);
    data[i] = 10 * noise() + (strong ? 12 : 4) * Math.sin((2 * Math.PI * 11 * (i % samples)) / 256 + trial);
  }
  data[5] = canary;
  return {
    labels,
    trials: {
      data,
      trials: count,
      channels: channels.length,
      samples,
      rateHz: 256,
      sourceRateHz: 256,
      channelNames: channels,
    },
  };
}

export const methodIds = ['tangent-logistic', 'csp-lda', 'log-power-logistic'];

export const candidatesOf = (ids: readonly string[]): FitRequest['candidates'] =>
  ids.map((id) => {
    const { version, title, family } = methodOf(id);
    return { id, version, title, family };
  });

/** The staged object of an immediate create. */
export const stagedBytes = (): Uint8Array => encode({ format: 2, ...trials(), sessions: null } satisfies StagedTrials);

export const requestOf = (
  id: string,
  accountId: string,
  mode: KeyMode,
  holdId: string | null,
  o: Partial<FitRequest>,
  ids: readonly string[] = methodIds,
): FitRequest => ({
  jobId: crypto.randomUUID(),
  modelId: id,
  accountId,
  mode,
  taskKind: 'motor',
  source: { batches: true },
  candidates: candidatesOf(ids),
  skipped: [{ id: 'sleep', title: 'Sleep', reason: 'is for other tasks' }],
  featureSets: [...new Set(ids.flatMap((each) => methodOf(each).featureSets({})))],
  bytes: 1,
  cpuSeconds: 1,
  warnings: [],
  idempotencyKey: null,
  holdId,
  requestId: 'req_test',
  ...o,
});

/** What the API does before it runs the fit of an immediate create: staged trials; hold, row and job. */
export async function stagedFit(
  world: World,
  accountId: string,
  o: { mode?: KeyMode; key?: string; methods?: readonly string[] } = {},
): Promise<FitRequest> {
  const id = modelId();
  const jobId = crypto.randomUUID();
  const mode = o.mode ?? 'live';
  const at = new Date(await world.now());
  const staged = objectNames.staged({ modelId: id, jobId }, at);
  await world.objects.put(staged, stagedBytes());
  return transaction(world.db.pool, async (sql) => {
    const holdId = await reserve(sql, { accountId, mode, modelId: id, at });
    await insertFitting(sql, newModel(id, accountId, mode, at));
    if (o.key) {
      await sql.query(
        `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, locked_until, job, created_at) ` +
          `VALUES ($1, 'live', $2, 'h', 'running', now() + interval '1 minute', $3, now())`,
        [accountId, o.key, JSON.stringify({ modelId: id, jobId, holdId })],
      );
    }
    const request = requestOf(
      id,
      accountId,
      mode,
      holdId,
      { jobId, source: { staged }, idempotencyKey: o.key ?? null },
      o.methods ?? methodIds,
    );
    await enqueueFit(sql, request, at);
    return request;
  });
}

/** A batch of a collecting model, stored as features, and the request of its /fit. */
export async function batchFit(world: World, id: string, accountId: string): Promise<FitRequest> {
  const set = trials();
  const sets = [...new Set(methodIds.flatMap((each) => methodOf(each).featureSets({})))];
  const name = `features/${id}/2`;
  const at = new Date(await world.now());
  const objects = storedBatch(name, extractFeatures(set.trials, sets), { labels: set.labels, sessions: null });
  for (const [key, bytes] of objects) await world.objects.put(key, bytes);
  return transaction(world.db.pool, async (sql) => {
    await addBatch(sql, {
      pins: [],
      modelId: id,
      featuresRef: name,
      trials: 20,
      windows: 20,
      classCounts: { left: 10, right: 10 },
      signal: newModel(id, accountId, 'live', at).signal,
      bytes: 100,
      at,
    });
    const holdId = await reserve(sql, { accountId, mode: 'live', modelId: id, at });
    const request = requestOf(id, accountId, 'live', holdId, {}, methodIds);
    await enqueueFit(sql, request, at);
    return request;
  });
}
