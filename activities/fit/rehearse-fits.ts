import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { FitRequest, StagedTrials } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import { encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import { rehearsal } from '../../infra/drivers/postgres/index.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { forNobody } from '../../infra/records/for-nobody.ts';
import { capture, reserve } from '../../infra/records/ledger/index.ts';
import { insertFitting } from '../../infra/records/task-models/index.ts';
import type { Trials } from '../../ml/types.ts';
import type { Compute } from '../compute/compute.ts';
import { extractInParts } from '../compute/extract-in-parts.ts';
import { planOf } from '../compute/plan-simulated.ts';
import { rehearsedForms, simulate, type SimulatedForm } from '../compute/simulated.ts';
import type { ActivityDeps } from '../deps.ts';
import { createTools, type Tools } from '../tools.ts';
import type { Winner } from '../types.ts';
import { activated } from './activate-model.ts';
import { refitBest } from './choose-and-refit.ts';
import { holdScores } from './held-scores.ts';
import { atBeginning, scoreAll } from './score-candidates.ts';

/** Whom the threads work for: tasks of others come first. */
const share = 'warm-up';

/** Somebody else needs the threads. */
class GivesWay extends Error {}

/**
 * Leads fits of simulated trials as an activity does, all threads at once: of each form whatever comes up in the main
 * thread, in messages to the threads and back, and in the sizes that fits have. Nothing of it stays: what is stored
 * goes nowhere, and what is written in Postgres is rolled back. It gives way: as soon as a thread is asked for by others
 * it is over. Throws what a fit would.
 */
export async function rehearseFits(
  deps: ActivityDeps,
  forms: readonly SimulatedForm[] = rehearsedForms,
): Promise<void> {
  try {
    for (const form of forms) await rehearseFit(rehearsing(deps), form);
  } catch (error) {
    if (!(error instanceof GivesWay)) throw error;
  }
}

async function rehearseFit(shared: Rehearsal, form: SimulatedForm): Promise<void> {
  await using recent = holdScores(shared.recent);
  const tools = { ...shared, recent };
  const { compute, stopped, threads } = tools;
  const { trials, labels } = simulate(form);
  const { candidates, skipped, featureSets } = planOf(form, trials, labels);
  const request: FitRequest = {
    jobId: randomUUID(),
    modelId: `clf_${randomUUID().replaceAll('-', '')}`,
    accountId: randomUUID(),
    mode: 'test',
    taskKind: form.kind,
    source: { staged: 'nothing' },
    candidates: candidates.map(({ id, version, title, family, members }) => ({
      id,
      version,
      title,
      family,
      ...(members && { members: members.map(({ id }) => id) }),
    })),
    skipped,
    featureSets,
    warnings: [],
    idempotencyKey: null,
    holdId: null,
    requestId: 'warm-up',
  };
  const encoded = encode({ format: 2, trials, labels, sessions: null } satisfies StagedTrials);
  const staged = await throughStore(shared.real.objects, encoded);
  const data = await extractInParts(compute, threads.size, staged, request, stopped);
  const scoring = await scoreAll(
    tools,
    request,
    async () => data,
    atBeginning,
    stopped,
    () => undefined,
  );
  await scoring.told;
  const { winner, report } = await refitBest(tools, request, data, scoring.scores, stopped);
  await forNobody(shared.real.pool, (pool, accountId) =>
    activate({ ...tools, pool }, { ...request, accountId }, trials, winner, report),
  );
}

/** All that the end of a fit asks of Postgres. A test key's, so that no charge is counted; one is made by itself. */
async function activate(
  tools: Tools,
  request: FitRequest,
  { channelNames }: Trials,
  winner: Winner,
  report: Uint8Array,
): Promise<void> {
  const { pool } = tools;
  const { accountId, modelId, mode, taskKind } = request;
  const at = new Date();
  const common = { name: null, description: 'Nobody asked for it.', classes: [], expiresAt: null, at };
  const model = { ...common, id: modelId, accountId, mode, taskKind, channels: channelNames, signal: nothingSent };
  await insertFitting(pool, model);
  await enqueueFit(pool, request, at);
  await activated(tools, request, winner, async () => report, at.getTime());
  const holdId = await reserve(pool, { accountId, mode: 'live', modelId, at });
  await capture(pool, holdId, { accountId, mode: 'live', modelId, at, fittedAt: at });
}

const nothingSent: SignalReport = {
  sampling_rate_hz: 0,
  resampled_to_hz: 0,
  trials: 0,
  channels: 0,
  samples_per_trial: 0,
  seconds_per_trial: 0,
  units: 'uV',
  renamed_channels: {},
  warnings: [],
};

interface Rehearsal extends Tools {
  /** Aborts when others need the threads. */
  readonly stopped: AbortSignal;
  readonly real: Pick<ActivityDeps, 'pool' | 'objects'>;
}

function rehearsing({ pool, objects, threads, ...deps }: ActivityDeps): Rehearsal {
  const giving = new AbortController();
  const tools = createTools({
    ...deps,
    threads,
    log: undefined,
    objects: { ...objects, put: async () => undefined },
    pool: rolledBack(pool),
  });
  // Aborting a task would end its thread, which is warm by now.
  const compute = ((task, payload, { signal: _, ...how }) => {
    if (threads.load > threads.loadOf(share)) giving.abort(new GivesWay());
    giving.signal.throwIfAborted();
    return tools.compute(task, payload, { ...how, share });
  }) as Compute;
  return { ...tools, compute, stopped: giving.signal, real: { pool, objects } };
}

/** The bytes as they come out of the object store, where they stay no longer. */
async function throughStore(objects: ObjectStore, bytes: Uint8Array): Promise<Uint8Array> {
  const name = objectNames.probe(randomUUID(), new Date());
  try {
    await objects.create(name, bytes);
    return await objects.get(name);
  } finally {
    await objects.delete(name);
  }
}

/** Single statements, of which nothing stays. */
const rolledBack = (pool: pg.Pool): pg.Pool =>
  ({
    query: (text: string, values: unknown[]) => rehearsal(pool, (sql) => sql.query(text, values)),
  }) as unknown as pg.Pool;
