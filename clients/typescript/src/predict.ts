import { consecutiveBatches } from './batches.ts';
import { EegError, fieldsOf, PartialPredictionError, RefusedError } from './errors.ts';
import { packRequest, type PredictInput } from './requests.ts';
import { modelPath, type RequestOptions, type Send } from './transport.ts';
import type { PredictionList } from './schema-types.ts';
import { formatUsd, microUsd } from './usd.ts';

export interface PredictOptions extends RequestOptions {
  readonly onProgress?: (progress: { readonly trialsDone: number; readonly trials: number }) => void;
}

/** Joins the answers to several requests: renumbers the trials and adds the costs. */
function joined(lists: readonly PredictionList[]): PredictionList {
  const [first] = lists;
  if (lists.length === 1) return first;
  const data = lists.flatMap((list) => list.data).map((item, index) => ({ ...item, index }));
  const usd = lists.reduce((sum, { cost }) => sum + microUsd(cost.usd), 0n);
  const windows = lists.reduce((sum, { cost }) => sum + cost.windows, 0);
  const warnings = [...new Set(lists.flatMap(({ signal }) => signal.warnings))];
  return {
    ...first,
    data,
    signal: { ...first.signal, trials: data.length, warnings },
    cost: { ...first.cost, usd: formatUsd(usd), windows },
  };
}

/**
 * Predicts trials, in as many requests as they need, one after another. Throws PartialPredictionError if a later
 * request fails: it has the paid answers.
 */
export async function predict(
  send: Send,
  model: string | { readonly id: string },
  input: PredictInput,
  { onProgress, idempotencyKey, signal }: PredictOptions = {},
): Promise<PredictionList> {
  const path = `${modelPath(model)}/predictions`;
  const request = packRequest(input);
  const { trials } = request.trials;
  const parts = consecutiveBatches(trials, request.perRequest);
  if (parts.length > 1 && input.align === 'batch')
    throw new RefusedError(
      'PAYLOAD_TOO_LARGE',
      `x: has ${trials} trials; \`align: "batch"\` needs all of them in one request, which can contain ` +
        `${request.perRequest}. Predict one recording at a time.`,
      { field: 'x' },
    );
  const lists: PredictionList[] = [];
  for (const [at, part] of parts.entries()) {
    // The caller's key names the first request; the keys of the later ones are made from it.
    const key = idempotencyKey && at > 0 ? `${idempotencyKey}/${at}` : idempotencyKey;
    const body = parts.length === 1 ? request.body() : request.body(part);
    try {
      const options = { signal, idempotencyKey: key };
      lists.push((await send<PredictionList>({ method: 'POST', path, body, idempotent: true }, options)).body);
    } catch (error) {
      if (lists.length === 0) throw error;
      const reason = error instanceof EegError ? error.message : String(error);
      throw new PartialPredictionError(
        `Predicted ${part[0]} of ${trials} trials, then a request failed: ${reason}`,
        joined(lists),
        fieldsOf(error),
      );
    }
    onProgress?.({ trialsDone: part.at(-1)! + 1, trials });
  }
  return joined(lists);
}
