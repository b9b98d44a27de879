import type { FitRequest, NetworkSource } from '../../infra/contract/fit-request.ts';
import { ObjectMissing } from '../../infra/drivers/objects/object-store.ts';
import { forgetFit } from '../../infra/records/reference-fits/fits.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import type { Tools } from '../tools.ts';
import type { FitEnded } from '../activities.ts';
import { activateModel } from './activate-model.ts';
import { finalFailure } from './final-failure.ts';

/** What becomes the model: a finished fit on reference recordings, or the movement network. */
export type AdoptedSource = Extract<FitRequest['source'], { reference: string } | { network: NetworkSource }>;

/** Whether a job adopts a model that is known before it begins. */
export const isAdopted = (source: FitRequest['source']): source is AdoptedSource =>
  'reference' in source || 'network' in source;

/**
 * Makes a finished fit on reference recordings, or the movement network, the model. The copy is stored under the
 * model's own name, with its class names. Its leave-people-out evidence becomes the report.
 */
export async function adoptReference(
  tools: Tools,
  request: FitRequest,
  source: AdoptedSource,
  at: number,
  signal: AbortSignal,
): Promise<FitEnded> {
  const { pool, compute } = tools;
  const { modelId, warnings } = request;
  const stored = await readStored(pool, modelId);
  if (!stored?.reference || stored.status !== 'fitting')
    throw finalFailure({
      code: 'CLASSIFIER_NOT_FOUND',
      message: `${modelId} is ${stored?.status ?? 'gone'}; it was not fitted.`,
    });
  const fit = 'network' in source ? source.network : await readFit(tools, source.reference);
  const { classes } = stored.reference;
  const mapping = Object.fromEntries(stored.classes.map((name) => [name, classes[name].class]));
  const { bytes, method, pins, report } = await compute('adopt', { fit, mapping, warnings }, { signal });
  const outcome = await activateModel(tools, request, { method, pins, bytes, report }, at);
  return { outcome, method: method.title, scores: [] };
}

/** The stored fit. Throws BACKEND_FAILURE if it was removed, so that the next request has it made again. */
const readFit = ({ objects, pool }: Pick<Tools, 'objects' | 'pool'>, reference: string): Promise<Uint8Array> =>
  objects.get(reference).catch(async (error: unknown) => {
    if (!(error instanceof ObjectMissing)) throw error;
    await forgetFit(pool, reference);
    throw finalFailure({
      code: 'BACKEND_FAILURE',
      message: 'The fit on reference recordings was replaced meanwhile; nothing was charged. Send the request again.',
    });
  });
