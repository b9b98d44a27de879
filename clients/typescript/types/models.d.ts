import { type RequestOptions, type Send } from './transport.ts';
import type { PatchRequest, TaskModel, TaskModelRow } from './schema-types.ts';
type Model = string | {
    readonly id: string;
};
type Signal = Pick<RequestOptions, 'signal'>;
export interface ListOptions extends Signal {
    /** Models per request, 1 to 100; default 100. */
    readonly limit?: number;
}
/** Deletes a task model. */
export declare const deleteModel: (send: Send, model: Model, options?: Signal) => Promise<TaskModel>;
/** Hosted models of the account. */
export declare class Models {
    #private;
    constructor(send: Send);
    /** Collecting and active models, newest first. Requests the next page when the loop needs it. */
    list(options?: ListOptions): AsyncGenerator<TaskModelRow, void>;
    /** One model with its training report. */
    get(model: Model, options?: Signal): Promise<TaskModel>;
    /** Changes the name or the expiry of a model; fields that are left out do not change. */
    update(model: Model, change: PatchRequest, options?: Signal): Promise<TaskModel>;
    /** Deletes a model for good. Deleting it again is no error. */
    delete(model: Model, options?: Signal): Promise<TaskModel>;
}
export {};
