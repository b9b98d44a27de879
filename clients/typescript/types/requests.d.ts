import { type PackedTrials, type TrialsInput } from './trials.ts';
import type { BatchRequest, CreateRequest, PredictRequest, ZeroShotRequest } from './schema-types.ts';
/** A create: labelled trials and the description of the task. */
export type CreateInput = Omit<CreateRequest, 'x' | 'shape' | 'defer_fit' | 'dry_run'> & TrialsInput;
/** A batch of labelled trials for a collecting model. */
export type BatchInput = Omit<BatchRequest, 'x' | 'shape'> & TrialsInput;
/** A prediction: trials without labels. */
export type PredictInput = Omit<PredictRequest, 'x' | 'shape'> & TrialsInput;
/** A create without trials. */
export type ZeroShotInput = Omit<ZeroShotRequest, 'mode' | 'dry_run'>;
type Fields = Pick<PredictInput, 'sampling_rate_hz' | 'normalization_context'> & Partial<Pick<CreateInput, 'labels' | 'sessions'>>;
/** A request whose trials are in one array, so that parts of them can be sent. */
export interface PackedRequest {
    readonly trials: PackedTrials;
    /** Largest number of its trials in one request. */
    readonly perRequest: number;
    /** The body with the trials of these indices; without indices, with all trials. */
    body(indices?: readonly number[]): Record<string, unknown>;
}
/**
 * Puts the trials of a request into one array. Throws RefusedError for malformed trials or a wrong number of labels.
 */
export declare function packRequest(input: Fields & TrialsInput): PackedRequest;
/** The body with all trials. Throws RefusedError, with the advice, if one request cannot contain them. */
export declare function wholeBody(input: Fields & TrialsInput, advice: string): Record<string, unknown>;
export {};
