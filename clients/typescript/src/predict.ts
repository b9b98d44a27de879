import { runsOf } from './batches.ts';
import { EegError, factsOf, PartialPredictionError, RefusedError } from './errors.ts';
import { packRequest, type PredictInput } from './requests.ts';
import { modelPath, type RequestOptions, type Send } from './transport.ts';
import type { PredictionList } from './types.ts';
import { formatUsd, microUsd } from './usd.ts';

export interface PredictOptions extends RequestOptions {
  readonly onProgress?: (progress: { readonly trialsDone: number; readonly trials: number }) => void;
}

/** Answers to several requests as one: indices run on, costs add up. */
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
 * Labels trials. Trials beyond one request are sent in several, one after another. Throws PartialPredictionError, which
 * holds the answers that were paid for, where a later one fails.
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
  const runs = runsOf(trials, request.perRequest);
  if (runs.length > 1 && input.align === 'batch')
    throw new RefusedError(
      'PAYLOAD_TOO_LARGE',
      `x: has ${trials} trials, which \`align: "batch"\` reads together; one request takes ${request.perRequest}. ` +
        'Predict one recording at a time.',
      { field: 'x' },
    );
  const lists: PredictionList[] = [];
  for (const [at, run] of runs.entries()) {
    // A key of the caller's own names a request: those of the later ones follow from it.
    const key = idempotencyKey && at > 0 ? `${idempotencyKey}/${at}` : idempotencyKey;
    const body = runs.length === 1 ? request.body() : request.body(run);
    try {
      const options = { signal, idempotencyKey: key };
      lists.push((await send<PredictionList>({ method: 'POST', path, body, idempotent: true }, options)).body);
    } catch (error) {
      if (lists.length === 0) throw error;
      const what = error instanceof EegError ? error.message : String(error);
      throw new PartialPredictionError(
        `Predicted ${run[0]} of ${trials} trials: ${what}`,
        joined(lists),
        factsOf(error),
      );
    }
    onProgress?.({ trialsDone: run.at(-1)! + 1, trials });
  }
  return joined(lists);
}
