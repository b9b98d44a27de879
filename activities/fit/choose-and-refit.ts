import { ApplicationFailure } from '@temporalio/common';
import { objectNames } from '../../infra/contract/object-names.ts';
import { beating } from '../beating.ts';
import { refitInParts } from '../compute/refit-in-parts.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Scored } from '../types.ts';

/** The best of the scored candidates refitted on all trials; model and report are stored. Idempotent. */
export function createChooseAndRefit({ objects, blobs, recent, compute, reach }: Tools): Activities['chooseAndRefit'] {
  return ({ request, dataset, scores }) =>
    beating(async (signal) => {
      await reach('refit:before');
      const data = await blobs.open(dataset.ref);
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
      ).catch((error: unknown) => {
        if (error instanceof ApplicationFailure && error.type === 'ComputeFailed') throw refitFailed(error);
        throw error;
      });
      const winner = {
        method: model.method,
        pins: model.pins,
        balancedAccuracy: report.balanced_accuracy,
        chance: report.chance,
        modelRef: objectNames.model(request),
        reportRef: objectNames.report(request),
      };
      await objects.put(winner.modelRef, model.bytes);
      await reach('refit:after-model');
      await objects.put(winner.reportRef, Buffer.from(JSON.stringify(report)));
      await reach('refit:after-report');
      return winner;
    });
}

const refitFailed = ({ message }: ApplicationFailure): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'CLASSIFIER_FIT_FAILED',
    message: `The best method could not be fitted on all trials; nothing was charged. ${message}`,
    nonRetryable: true,
  });
