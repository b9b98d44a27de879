import { type CreateOptions } from './create.ts';
import type { ZeroShotInput } from './requests.ts';
import type { Send } from './transport.ts';
import type { Preparation, TaskModel, ZeroShotEstimate } from './schema-types.ts';
export interface ZeroShotOptions extends CreateOptions {
    /** Called with the state of the preparation, while the service prepares reference recordings. */
    readonly onPreparation?: (preparation: Preparation) => void;
    /** Called with the estimate before anything is charged. If it returns false, nothing is created. */
    readonly review?: (estimate: ZeroShotEstimate) => boolean | Promise<boolean>;
    /** Longest wait for reference recordings in milliseconds; default 1,800,000. */
    readonly preparationTimeoutMs?: number;
}
/**
 * Creates a task model without trials of the caller. Repeats the estimate until the reference recordings are prepared,
 * calls `review` with it, and creates the model with the `reference_classes` of the estimate.
 */
export declare function zeroShot(send: Send, input: ZeroShotInput, { maxUsd, onPreparation, review, preparationTimeoutMs, ...options }?: ZeroShotOptions): Promise<TaskModel>;
