import { countEstimate } from '../../infra/records/admission/usage.ts';
import { assertAffordable } from '../../infra/records/ledger/charges.ts';
import { createCost } from '../../infra/records/ledger/holds.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { formatUsd, prices } from '../../infra/contract/prices.ts';
import type { Estimate } from '../contract/responses.ts';
import type { ApiDeps } from '../deps.ts';
import { answerOf, type Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { CreateInput } from './create-input.ts';

/**
 * `dry_run`: what a create would cost and try. Nothing is fitted or charged (spec, rule 1). Counts against the daily
 * allowance of estimates before it requests recordings of other people.
 */
export async function estimateCreate(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<Answer> {
  const { context, plan, trialsPerClass, signal, windows, create } = input;
  const findings = [...input.findings, ...plan.findings];
  const { caller, usage } = context;
  const { accountId, mode, at } = caller;
  usage.endpoint = 'task_models.estimate';
  const free = mode === 'test';
  const batch = create.defer_fit && !free ? prices.window * BigInt(windows) : 0n;
  await transaction(deps.pool, async (sql) => {
    await assertAffordable(sql, { accountId, mode, amount: createCost + batch, at });
    await countEstimate(sql, { accountId, allowance: caller.dailyEstimates, at });
  });
  const begun = await input.prior.begin?.();
  const answer = answerOf(200, {
    object: 'task_model.estimate',
    category: plan.category,
    task_kind: plan.kind,
    classes: plan.classes,
    trials_per_class: trialsPerClass,
    priors: create.parameters.priors ?? 'balanced',
    create_usd: formatUsd(free ? 0n : prices.createFee),
    hosting_usd_per_month: formatUsd(free ? 0n : prices.hostingMonth),
    batch_usd: formatUsd(batch),
    windows,
    fit_seconds: Math.max(1, Math.ceil(plan.cost.seconds)),
    candidates: plan.candidates.map(({ id, version, title }) => ({ id, version, title })),
    skipped: plan.skipped.map(({ id, title, reason }) => ({ id, title, reason })),
    signal,
    // Recordings that became ready a moment later were not part of the plan.
    prior: begun && begun.status !== 'ready' ? begun : input.prior.answer,
    findings,
    warnings: findings.map(({ message }) => message),
  } satisfies Estimate);
  await transaction(deps.pool, (sql) => ticket.finish(sql, answer, null));
  return answer;
}
