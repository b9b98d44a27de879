import { randomUUID } from 'node:crypto';
import { assertAffordable, createCost } from '../../infra/records/ledger/index.ts';
import { insertFitting } from '../../infra/records/task-models/index.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { beginJob } from './begin-job.ts';
import { newModel, newModelId, type CreateInput } from './create-input.ts';
import { runJob } from './run-job.ts';
import { withObject } from './with-object.ts';

/**
 * An immediate create: look at the balance, stage the trials, then hold the credit and write the job down in one
 * transaction, run the job, await its answer. Whatever fails before that transaction leaves nothing to undo but the
 * staged trials, which are removed.
 */
export async function createFitted(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<Answer> {
  const { asked, create, plan, prior, trials, links, sessions, recordings, signal } = input;
  const { accountId, mode, at } = asked.caller;
  await assertAffordable(deps.pool, { accountId, mode, amount: createCost, at });
  const target = { modelId: newModelId(), jobId: randomUUID() };
  const staged = objectNames.staged(target, new Date());
  const {
    labels,
    parameters: { priors },
  } = create;
  const job = await withObject(deps, staged, async () => {
    await deps.threads.stage(accountId, {
      name: staged,
      trials,
      labels,
      sessions,
      recordings,
      ...(priors && { priors }),
      ...(links !== undefined && { links }),
    });
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
