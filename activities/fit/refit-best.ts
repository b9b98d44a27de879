import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { refitInParts } from '../compute/refit-in-parts.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../activities.ts';
import type { Fitted } from './activate-model.ts';
import { finalFailure } from './final-failure.ts';
import type { ScoringJob } from './scoring-job.ts';

/** Refits the best scored candidate, or the average of the best ones, on all trials. */
export async function refitBest(
  { compute, reach }: Pick<Tools, 'compute' | 'reach'>,
  { request, data, scores, signal }: Pick<ScoringJob, 'data' | 'scores' | 'signal'> & { readonly request: FitRequest },
  all: readonly Scored[],
): Promise<Fitted> {
  await reach('refit:before');
  const { jobId, warnings } = request;
  const failed = all
    .filter(({ ref }) => ref === null)
    .map(({ method, title, reason }) => ({ id: method, title, reason: reason ?? 'It could not be scored.' }));
  const { report, model } = await refitInParts(
    compute,
    {
      jobId,
      data,
      scores: await Promise.all(all.flatMap(({ ref }) => (ref === null ? [] : scores.get(ref)))),
      skipped: [...failed, ...request.skipped],
      warnings,
    },
    signal,
  ).catch((error: unknown) => {
    if (!(error instanceof ApplicationFailure) || error.type !== 'ComputeFailed') throw error;
    throw finalFailure({
      code: 'CLASSIFIER_FIT_FAILED',
      message: `The best method could not be fitted on all trials; nothing was charged. ${error.message}`,
    });
  });
  await reach('refit:after-model');
  return { method: model.method, pins: model.pins, bytes: model.bytes, report };
}
