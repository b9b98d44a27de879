import { create, createBody, estimateBody, zeroShotBody, type CreateOptions } from './create.ts';
import { addTrials, createDeferred, createInBatches, fit, type BatchesOptions } from './deferred.ts';
import { Models } from './models.ts';
import { predict, type PredictOptions } from './predict.ts';
import type { BatchInput, CreateInput, PredictInput, ZeroShotInput } from './requests.ts';
import { createSend, type ClientOptions, type RequestOptions, type Send } from './transport.ts';
import type { Estimate, PredictionList, Status, TaskModel, TaskModelBatch, Usage, ZeroShotEstimate } from './types.ts';
import { zeroShot, type ZeroShotOptions } from './zero-shot.ts';

type Model = string | { readonly id: string };

/**
 * The service of hosted EEG classifiers. Every method takes an AbortSignal, is retried as the service asks
 * (`retries.ts`), is charged once however often it is sent, and throws an EegError whose `code` says why.
 */
export class EegTaskClassifier {
  readonly #send: Send;
  /** The hosted models of the account. */
  readonly models: Models;

  constructor(options: ClientOptions = {}) {
    this.#send = createSend(options);
    this.models = new Models(this.#send);
  }

  /** Fits a classifier on labelled trials and hosts it. Costs the create fee and a month of hosting. */
  create(input: CreateInput, options?: CreateOptions): Promise<TaskModel> {
    return create(this.#send, input, options);
  }

  /** What a create would cost and warn of; nothing is fitted or charged. */
  estimate(input: CreateInput, options?: RequestOptions): Promise<Estimate>;
  estimate(input: ZeroShotInput, options?: RequestOptions): Promise<ZeroShotEstimate>;
  async estimate(input: CreateInput | ZeroShotInput, options?: RequestOptions): Promise<Estimate | ZeroShotEstimate> {
    const body = 'x' in input ? createBody(input) : zeroShotBody(input);
    return (await estimateBody(this.#send, body, options)).body;
  }

  /** A classifier without trials, fitted on reference recordings of other people, where there are some for the task. */
  zeroShot(input: ZeroShotInput, options?: ZeroShotOptions): Promise<TaskModel> {
    return zeroShot(this.#send, input, options);
  }

  /** Fits on any number of trials: more than one request takes are sent in batches, each billed per window. */
  createInBatches(input: CreateInput, options?: BatchesOptions): Promise<TaskModel> {
    return createInBatches(this.#send, input, options);
  }

  /** Begins a model with a first batch of trials; `addTrials` brings more, `fit` ends it within 7 days. */
  createDeferred(input: CreateInput, options?: RequestOptions): Promise<TaskModel> {
    return createDeferred(this.#send, input, options);
  }

  addTrials(model: Model, input: BatchInput, options?: RequestOptions): Promise<TaskModelBatch> {
    return addTrials(this.#send, model, input, options);
  }

  fit(model: Model, options?: RequestOptions): Promise<TaskModel> {
    return fit(this.#send, model, options);
  }

  /** One label and one probability per class for each trial, in the order sent; any number of trials. */
  predict(model: Model, input: PredictInput, options?: PredictOptions): Promise<PredictionList> {
    return predict(this.#send, model, input, options);
  }

  /** Money and requests of today and of this month, and the limits of the account. */
  async usage(options?: Pick<RequestOptions, 'signal'>): Promise<Usage> {
    return (await this.#send<Usage>({ method: 'GET', path: '/v1/usage' }, options)).body;
  }

  /** Whether the service serves. */
  async status(options?: Pick<RequestOptions, 'signal'>): Promise<Status> {
    return (await this.#send<Status>({ method: 'GET', path: '/v1/status' }, options)).body;
  }
}
