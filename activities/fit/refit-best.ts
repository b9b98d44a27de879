import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { JobData } from '../compute/job-data.ts';
import { refitInParts } from '../compute/refit-in-parts.ts';
import type { Tools } from '../tools.ts';
import type { Scored, Winner } from '../types.ts';

export interface Refitted {
  readonly winner: Winner;
  /** The training report as JSON. */
  readonly report: Uint8Array;
}

/** Refits the best of the scored candidates on all trials, and stores the model. Idempotent. */
export async function refitBest(
  { objects, recent, compute, reach }: Tools,
  request: FitRequest,
  data: JobData,
  scores: readonly Scored[],
  signal: AbortSignal,
): Promise<Refitted> {
  await reach('refit:before');
  const modelRef = objectNames.model(request);
  const stored = scores.filter((each): each is Scored & { ref: string } => each.ref !== null);
  const lost = scores
    .filter(({ ref }) => ref === null)
    .map(({ method, title, reason }) => ({ id: method, title, reason: reason ?? 'It could not be scored.' }));
  const { report, model } = await refitInParts(
    compute,
    {
      jobId: request.jobId,
      data,
      scores: await Promise.all(stored.map(({ ref }) => recent.get(ref))),
      skipped: [...lost, ...request.skipped],
      warnings: request.warnings,
    },
    signal,
    ({ bytes }) => objects.put(modelRef, bytes),
  ).catch((error: unknown) => {
    if (error instanceof ApplicationFailure && error.type === 'ComputeFailed') throw refitFailed(error);
    throw error;
  });
  const winner = {
    method: model.method,
    pins: model.pins,
    balancedAccuracy: report.balanced_accuracy,
    chance: report.chance,
    modelRef,
  };
  await reach('refit:after-model');
  return { winner, report: Buffer.from(JSON.stringify(report)) };
}

const refitFailed = ({ message }: ApplicationFailure): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'CLASSIFIER_FIT_FAILED',
    message: `The best method could not be fitted on all trials; nothing was charged. ${message}`,
    nonRetryable: true,
  });
