import { type CreateOptions } from './create.ts';
import { type BatchesOptions, type FitOptions } from './deferred.ts';
import { Models } from './models.ts';
import { type PredictOptions } from './predict.ts';
import type { BatchInput, CreateInput, PredictInput, ZeroShotInput } from './requests.ts';
import { type ClientOptions, type RequestOptions } from './transport.ts';
import type { Estimate, PredictionList, Status, TaskModel, TaskModelBatch, Usage, ZeroShotEstimate } from './schema-types.ts';
import { type ZeroShotOptions } from './zero-shot.ts';
type Model = string | {
    readonly id: string;
};
/**
 * Client of the service. Every method accepts an AbortSignal and retries its request (see `retries.ts`). The service
 * charges a request once, for any number of attempts. Every error is an EegError; its `code` is for programs.
 */
export declare class EegTaskClassifier {
    #private;
    /** Hosted models of the account: list, read, change, delete. */
    readonly models: Models;
    constructor(options?: ClientOptions);
    /** Fits a classifier on labelled trials and hosts it. It costs the create fee and a month of hosting. */
    create(input: CreateInput, options?: CreateOptions): Promise<TaskModel>;
    /** Estimates the price and the warnings of a create. Nothing is fitted or charged. */
    estimate(input: CreateInput, options?: RequestOptions): Promise<Estimate>;
    estimate(input: ZeroShotInput, options?: RequestOptions): Promise<ZeroShotEstimate>;
    /** Fits a classifier on reference recordings of other people, without trials of your own. Some tasks have them. */
    zeroShot(input: ZeroShotInput, options?: ZeroShotOptions): Promise<TaskModel>;
    /** Fits on any number of trials. If one request cannot contain them, sends batches, which cost per window. */
    createInBatches(input: CreateInput, options?: BatchesOptions): Promise<TaskModel>;
    /** Creates a collecting model with a first batch of trials. Add more with `addTrials`; call `fit` within 7 days. */
    createDeferred(input: CreateInput, options?: RequestOptions): Promise<TaskModel>;
    /** Adds a batch of trials to a collecting model. It costs per window. */
    addTrials(model: Model, input: BatchInput, options?: RequestOptions): Promise<TaskModelBatch>;
    /** Fits a collecting model on all of its batches. */
    fit(model: Model, options?: FitOptions): Promise<TaskModel>;
    /** Predicts any number of trials: a label and a probability per class for each one, in the order sent. */
    predict(model: Model, input: PredictInput, options?: PredictOptions): Promise<PredictionList>;
    /** Cost and requests of today and of this month, and the limits of the account. */
    usage(options?: Pick<RequestOptions, 'signal'>): Promise<Usage>;
    /** Whether the service accepts requests now. */
    status(options?: Pick<RequestOptions, 'signal'>): Promise<Status>;
}
export {};
