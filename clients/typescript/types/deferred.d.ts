import { type CreateOptions } from './create.ts';
import { type BatchInput, type CreateInput } from './requests.ts';
import { type RequestOptions, type Send } from './transport.ts';
import type { TaskModel, TaskModelBatch } from './schema-types.ts';
type Model = string | {
    readonly id: string;
};
/** Progress of an upload in batches. */
export interface UploadProgress {
    readonly modelId: string;
    readonly batchesDone: number;
    readonly batches: number;
    readonly trialsDone: number;
    readonly trials: number;
    /** Cost of the batches so far, in USD. */
    readonly paidUsd: string;
}
export interface BatchesOptions extends Pick<CreateOptions, 'maxUsd' | 'signal'> {
    readonly onProgress?: (progress: UploadProgress) => void;
    /** Seed of the random division into batches; default 1. */
    readonly seed?: number;
}
/** Creates a collecting model with a first batch of trials, which costs per window. */
export declare function createDeferred(send: Send, input: CreateInput, options?: RequestOptions): Promise<TaskModel>;
/** Adds a batch to a collecting model. */
export declare const addTrials: (send: Send, model: Model, input: BatchInput, options?: RequestOptions) => Promise<TaskModelBatch>;
export interface FitOptions extends RequestOptions {
    /** Classes to leave out with all their trials, such as a mistyped label. */
    readonly ignoreClasses?: readonly string[];
}
/** Fits a collecting model on all of its batches. A fit that takes long runs as a job. */
export declare function fit(send: Send, model: Model, { ignoreClasses, ...options }?: FitOptions): Promise<TaskModel>;
/**
 * Fits a task model on any number of trials. If one request can contain them, it is a plain create. Otherwise the
 * client sends shuffled batches that each contain every class and cost per window, and then fits. Throws UploadError if
 * a later request fails.
 */
export declare function createInBatches(send: Send, input: CreateInput, { maxUsd, onProgress, seed, signal }?: BatchesOptions): Promise<TaskModel>;
export {};
