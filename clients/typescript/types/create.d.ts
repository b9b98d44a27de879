import { type CreateInput, type ZeroShotInput } from './requests.ts';
import type { RequestOptions, Reply, Send } from './transport.ts';
import type { Estimate, TaskModel, TaskModelPreparing, ZeroShotEstimate } from './schema-types.ts';
/** Path of the task models. */
export declare const taskModelsPath = "/v1/task-models";
export interface MoneyOptions {
    /** Limit on the cost of this call in USD. An estimate checks it first; above the limit nothing is charged. */
    readonly maxUsd?: number | string;
}
export type CreateOptions = RequestOptions & MoneyOptions;
/** Body of a create with trials. Throws RefusedError if one request cannot contain them. */
export declare const createBody: (input: CreateInput) => Record<string, unknown>;
/** Body of a create without trials. */
export declare const zeroShotBody: (input: ZeroShotInput) => Record<string, unknown>;
/** Sends an estimate or a first batch. */
export declare const postCreate: <T>(send: Send, body: object, options?: RequestOptions) => Promise<Reply<T>>;
/** Sends a create that fits. One that takes long runs as a job. */
export declare const postFit: <T extends object>(send: Send, body: object, options?: RequestOptions) => Promise<Reply<T>>;
/** Price of a create in micro-dollars: the create fee and a month of hosting. */
export declare const createCost: (estimate: Estimate | ZeroShotEstimate) => bigint;
/** Estimates a create. Nothing is fitted or charged. */
export declare function estimateBody<T extends Estimate | ZeroShotEstimate>(send: Send, body: object, options?: RequestOptions): Promise<Reply<T>>;
/**
 * Fits a task model on labelled trials that fit into one request. Throws RefusedError if it costs more than `maxUsd`.
 */
export declare function create(send: Send, input: CreateInput, { maxUsd, ...options }?: CreateOptions): Promise<TaskModel>;
/** Whether the answer to a create says that the service still prepares reference recordings. */
export declare const isPreparing: (body: {
    readonly object: string;
}) => body is TaskModelPreparing;
