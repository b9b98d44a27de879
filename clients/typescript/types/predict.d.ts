import { type PredictInput } from './requests.ts';
import { type RequestOptions, type Send } from './transport.ts';
import type { PredictionList } from './schema-types.ts';
export interface PredictOptions extends RequestOptions {
    readonly onProgress?: (progress: {
        readonly trialsDone: number;
        readonly trials: number;
    }) => void;
}
/**
 * Predicts trials, in as many requests as they need, one after another. Throws PartialPredictionError if a later
 * request fails: it has the paid answers.
 */
export declare function predict(send: Send, model: string | {
    readonly id: string;
}, input: PredictInput, { onProgress, idempotencyKey, signal }?: PredictOptions): Promise<PredictionList>;
