import type { Reply, RequestOptions, OutgoingRequest, Send } from './transport.ts';
/**
 * Sends a create or a fit. One that takes long is answered with a job, which is read until it has ended: no connection
 * stays open longer than a proxy allows. Throws the error of the job if it has failed.
 */
export declare function sendFit<T extends object>(send: Send, request: OutgoingRequest, options?: RequestOptions): Promise<Reply<T>>;
