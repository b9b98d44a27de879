import { randomUUID } from 'node:crypto';
import { assertAffordable, createCost } from '../../infra/records/ledger/index.ts';
import { insertFitting } from '../../infra/records/task-models/index.ts';
import { settleAll } from '../../infra/drivers/settle-all.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { Asked } from '../http/request.ts';
import type { IntakeAccepted } from '../threads/intake.ts';
import { beginJob } from './begin-job.ts';
import { newModel, newModelId, planCreate } from './create-input.ts';
import { runJob } from './run-job.ts';
import { stageTrials } from './stage-trials.ts';
import { withObject } from './with-object.ts';

/**
 * An immediate create: stage the trials while the task is read and methods are chosen, then hold the credit and write
 * the job down in one transaction, run the job, await its answer. Whatever fails before that transaction leaves nothing
 * to undo but the staged trials, which are removed; nothing is staged for who cannot pay.
 */
export async function createFitted(
  deps: ApiDeps,
  asked: Asked,
  intake: IntakeAccepted,
  ticket: Ticket,
): Promise<Answer> {
  const target = { modelId: newModelId(), jobId: randomUUID() };
  const staged = objectNames.staged(target, new Date());
  const job = await withObject(deps, staged, async () => {
    const [input] = await settleAll([planCreate(deps, asked, intake), stage(deps, asked, intake, staged)]);
    const { plan, prior, signal } = input;
    const draft = {
      ...target,
      taskKind: plan.kind,
      source: { staged },
      candidates: plan.candidates,
      skipped: plan.skipped,
      featureSets: plan.featureSets,
      ...(prior.fit ? { reference: prior.fit } : {}),
      warnings: [...signal.warnings, ...plan.findings.map(({ message }) => message)],
    };
    return beginJob(deps, asked, draft, ticket, (sql) => insertFitting(sql, newModel(input, target.modelId)));
  });
  asked.releaseBody();
  return runJob(deps, asked.usage, job, ticket);
}

/** Looks at the balance, then stores the trials under `name`. */
async function stage(deps: ApiDeps, { caller }: Asked, intake: IntakeAccepted, name: string): Promise<void> {
  const { accountId, mode, at } = caller;
  await assertAffordable(deps.pool, { accountId, mode, amount: createCost, at });
  await stageTrials(deps, accountId, intake, name);
}
