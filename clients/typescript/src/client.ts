import { create, createBody, estimateBody, zeroShotBody, type CreateOptions } from './create.ts';
import { addTrials, createDeferred, createInBatches, fit, type BatchesOptions, type FitOptions } from './deferred.ts';
import { Models } from './models.ts';
import { predict, type PredictOptions } from './predict.ts';
import type { BatchInput, CreateInput, PredictInput, ZeroShotInput } from './requests.ts';
import { createSend, type ClientOptions, type RequestOptions, type Send } from './transport.ts';
import type {
  Estimate,
  PredictionList,
  Status,
  TaskModel,
  TaskModelBatch,
  Usage,
  ZeroShotEstimate,
} from './schema-types.ts';
import { zeroShot, type ZeroShotOptions } from './zero-shot.ts';

type Model = string | { readonly id: string };

/**
 * Client of the service. Every method accepts an AbortSignal and retries its request (see `retries.ts`). The service
 * charges a request once, for any number of attempts. Every error is an EegError; its `code` is for programs.
 */
export class EegTaskClassifier {
  readonly #send: Send;
  /** Hosted models of the account: list, read, change, delete. */
  readonly models: Models;

  constructor(options: ClientOptions = {}) {
    this.#send = createSend(options);
    this.models = new Models(this.#send);
  }

  /** Fits a classifier on labelled trials and hosts it. It costs the create fee and a month of hosting. */
  create(input: CreateInput, options?: CreateOptions): Promise<TaskModel> {
    return create(this.#send, input, options);
  }

  /** Estimates the price and the warnings of a create. Nothing is fitted or charged. */
  estimate(input: CreateInput, options?: RequestOptions): Promise<Estimate>;
  estimate(input: ZeroShotInput, options?: RequestOptions): Promise<ZeroShotEstimate>;
  async estimate(input: CreateInput | ZeroShotInput, options?: RequestOptions): Promise<Estimate | ZeroShotEstimate> {
    const body = 'x' in input ? createBody(input) : zeroShotBody(input);
    return (await estimateBody(this.#send, body, options)).body;
  }

  /** Fits a classifier on reference recordings of other people, without trials of your own. Some tasks have them. */
  zeroShot(input: ZeroShotInput, options?: ZeroShotOptions): Promise<TaskModel> {
    return zeroShot(this.#send, input, options);
  }

  /** Fits on any number of trials. If one request cannot contain them, sends batches, which cost per window. */
  createInBatches(input: CreateInput, options?: BatchesOptions): Promise<TaskModel> {
    return createInBatches(this.#send, input, options);
  }

  /** Creates a collecting model with a first batch of trials. Add more with `addTrials`; call `fit` within 7 days. */
  createDeferred(input: CreateInput, options?: RequestOptions): Promise<TaskModel> {
    return createDeferred(this.#send, input, options);
  }

  /** Adds a batch of trials to a collecting model. It costs per window. */
  addTrials(model: Model, input: BatchInput, options?: RequestOptions): Promise<TaskModelBatch> {
    return addTrials(this.#send, model, input, options);
  }

  /** Fits a collecting model on all of its batches. */
  fit(model: Model, options?: FitOptions): Promise<TaskModel> {
    return fit(this.#send, model, options);
  }

  /** Predicts any number of trials: a label and a probability per class for each one, in the order sent. */
  predict(model: Model, input: PredictInput, options?: PredictOptions): Promise<PredictionList> {
    return predict(this.#send, model, input, options);
  }

  /** Cost and requests of today and of this month, and the limits of the account. */
  async usage(options?: Pick<RequestOptions, 'signal'>): Promise<Usage> {
    return (await this.#send<Usage>({ method: 'GET', path: '/v1/usage' }, options)).body;
  }

  /** Whether the service accepts requests now. */
  async status(options?: Pick<RequestOptions, 'signal'>): Promise<Status> {
    return (await this.#send<Status>({ method: 'GET', path: '/v1/status' }, options)).body;
  }
}
