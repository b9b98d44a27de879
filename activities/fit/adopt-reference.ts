import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { ObjectMissing } from '../../infra/drivers/objects/index.ts';
import { forgetFit } from '../../infra/records/reference/fits.ts';
import { readStored } from '../../infra/records/task-models/index.ts';
import type { Tools } from '../tools.ts';
import type { Refitted } from './refit-best.ts';

const failure = (type: string, message: string): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true });

/**
 * A finished fit on reference recordings becomes the model: a copy under the model's own name, with the names of its
 * classes, and its leave-people-out evidence as the report. Idempotent.
 */
export async function adoptReference(
  { pool, objects, compute }: Tools,
  request: FitRequest,
  reference: string,
  signal: AbortSignal,
): Promise<Refitted> {
  const { modelId, warnings } = request;
  const stored = await readStored(pool, modelId);
  if (!stored?.reference || stored.status !== 'fitting')
    throw failure('CLASSIFIER_NOT_FOUND', `${modelId} is ${stored?.status ?? 'gone'}; it was not fitted.`);
  const fit = await objects.get(reference).catch(async (error: unknown) => {
    if (!(error instanceof ObjectMissing)) throw error;
    await forgetFit(pool, reference);
    throw failure(
      'BACKEND_FAILURE',
      'The fit on reference recordings was replaced meanwhile; nothing was charged. Send the request again.',
    );
  });
  const { classes } = stored.reference;
  const mapping = Object.fromEntries(stored.classes.map((name) => [name, classes[name].class]));
  const { bytes, method, pins, report } = await compute('adopt', { fit, mapping, warnings }, { signal });
  const modelRef = objectNames.model(request);
  await objects.put(modelRef, bytes);
  const { balanced_accuracy: balancedAccuracy, chance } = report;
  return {
    winner: { method, pins, balancedAccuracy, chance, modelRef },
    report: Buffer.from(JSON.stringify(report)),
  };
}
