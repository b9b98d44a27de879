import { endWait } from '../../../infra/records/admission/usage.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import { formatUsd, prices } from '../../../infra/contract/prices.ts';
import type { ZeroShotEstimate } from '../../contract/responses.ts';
import type { ApiDeps } from '../../deps.ts';
import { answerOf, type Answer } from '../../http/answer.ts';
import type { Ticket } from '../../http/idempotency.ts';
import { beginCounted, preparationHash } from './begin.ts';
import { evidenceAnswer, requireEvidence } from './evidence.ts';
import { explanationOf, referenceClassesOf } from './mapping.ts';
import { evidenceWarnings } from './notes.ts';
import type { ZeroShotInput } from './read-zero-shot-task.ts';
import { zeroShotAvailability } from './zero-shot-availability.ts';

/**
 * `dry_run` without trials: the price of the model, the reference class of each class, and the evidence on other
 * people. If the fit is not ready, the progress of its preparation, which this call starts. Counts against the daily
 * allowance once, however often the request is repeated until the fit is ready. Only then the answer is final.
 */
export async function estimateZeroShot(deps: ApiDeps, input: ZeroShotInput, ticket: Ticket): Promise<Answer> {
  const { context, target, category } = input;
  const { accountId, mode, at } = context.caller;
  context.usage.endpoint = 'task_models.estimate';
  const seen = await zeroShotAvailability(deps, input, { accountId, at, start: false });
  const { counted, availability } = await beginCounted(deps, input, seen);
  if (!counted) context.usage.endpoint = 'task_models.estimate_again';
  const free = mode === 'test';
  const body = {
    object: 'task_model.estimate',
    mode: 'zero_shot',
    ready: availability.ready,
    category,
    task_kind: target.task.kind,
    classes: Object.keys(target.mapping),
    create_usd: formatUsd(free ? 0n : prices.createFee),
    hosting_usd_per_month: formatUsd(free ? 0n : prices.hostingMonth),
    // A create hosts a fit that exists by then.
    fit_seconds: 1,
    explanation: explanationOf(target),
    reference_classes: referenceClassesOf(target),
  } as const;
  if (!availability.ready) {
    const { preparation, retryAfterSeconds } = availability;
    await ticket.release();
    const waiting = { ...body, preparation, warnings: input.warnings } satisfies ZeroShotEstimate;
    return { ...answerOf(200, waiting), retryAfterSeconds };
  }
  const { evidence } = availability.fit;
  if (!seen.ready) await endWait(deps.pool, { accountId, hash: preparationHash(input) });
  requireEvidence(evidence, target);
  const answer = answerOf(200, {
    ...body,
    evidence: evidenceAnswer(evidence, target, availability.people),
    warnings: [...input.warnings, ...evidenceWarnings(evidence)],
  } satisfies ZeroShotEstimate);
  await transaction(deps.pool, (sql) => ticket.finish(sql, answer, null));
  return answer;
}
