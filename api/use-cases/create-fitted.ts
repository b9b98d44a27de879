import { randomUUID } from 'node:crypto';
import { assertAffordable } from '../../infra/records/ledger/charges.ts';
import { createCost } from '../../infra/records/ledger/holds.ts';
import { insertFitting } from '../../infra/records/task-models/models.ts';
import { settleAll } from '../../infra/drivers/settle-all.ts';
import { newModelId, newModel } from './new-model.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { RequestContext } from '../http/request.ts';
import type { IntakeAccepted } from '../intake/intake.ts';
import { beginJob, requireRoomForFit } from './begin-job.ts';
import { planCreate, type SentCreate } from './create-input.ts';
import { runJob } from './run-job.ts';
import { withObjects } from './with-objects.ts';

/**
 * An immediate create. Stages the trials while the task is read and methods are chosen. Then reserves the credit and
 * records the job in one transaction, runs the job and awaits its answer. A failure before that transaction leaves only
 * the staged trials, which are deleted. Stages nothing if the credit is too low.
 */
export async function createFitted(
  deps: ApiDeps,
  context: RequestContext,
  sent: SentCreate,
  intake: IntakeAccepted,
  ticket: Ticket,
): Promise<Answer> {
  const target = { modelId: newModelId(), jobId: randomUUID() };
  const staged = objectNames.staged(target, new Date());
  const job = await withObjects(deps, staged, async () => {
    const [input] = await settleAll([
      planCreate(deps, context, sent, intake),
      stage(deps, context, sent, intake, staged),
    ]);
    const { plan, prior, signal } = input;
    const draft = {
      ...target,
      taskKind: plan.kind,
      source: { staged },
      candidates: plan.candidates,
      skipped: plan.skipped,
      featureSets: plan.featureSets,
      bytes: plan.cost.bytes,
      cpuSeconds: plan.cost.seconds,
      ...(prior.fit ? { reference: prior.fit } : {}),
      ...(prior.network ? { network: prior.network } : {}),
      warnings: [...signal.warnings, ...plan.findings.map(({ message }) => message)],
    };
    return beginJob(deps, context, draft, ticket, (sql) => insertFitting(sql, newModel(input, target.modelId)));
  });
  context.releaseBody();
  return runJob(deps, context, job, ticket);
}

/**
 * Checks the balance and the quotas, then stores the trials under `name`. Their numbers are moved out of this thread.
 */
async function stage(
  { pool, threads }: ApiDeps,
  { caller }: RequestContext,
  { labels, parameters: { priors } }: SentCreate,
  { trials, sessions, contexts: recordings, links }: IntakeAccepted,
  name: string,
): Promise<void> {
  const { accountId, mode, at } = caller;
  await assertAffordable(pool, { accountId, mode, amount: createCost, at });
  await requireRoomForFit(pool, { accountId, mode, at });
  await threads.stage(accountId, {
    name,
    trials: trials!,
    labels,
    sessions,
    recordings,
    ...(priors && { priors }),
    ...(links !== undefined && { links }),
  });
}
