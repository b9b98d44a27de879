import { taskModelsPath } from './create.ts';
import { modelPath, type RequestOptions, type Send } from './transport.ts';
import type { PatchRequest, TaskModel, TaskModelList, TaskModelRow } from './schema-types.ts';

type Model = string | { readonly id: string };
type Signal = Pick<RequestOptions, 'signal'>;

export interface ListOptions extends Signal {
  /** Models per request, 1 to 100; default 100. */
  readonly limit?: number;
}

async function* listModels(send: Send, { limit = 100, signal }: ListOptions): AsyncGenerator<TaskModelRow, void> {
  let before: string | null = null;
  do {
    const query: string = new URLSearchParams({ limit: String(limit), ...(before ? { before } : {}) }).toString();
    const path = `${taskModelsPath}?${query}`;
    const { body }: { body: TaskModelList } = await send<TaskModelList>({ method: 'GET', path }, { signal });
    yield* body.data;
    before = body.next_before;
  } while (before !== null);
}

/** Deletes a task model. */
export const deleteModel = async (send: Send, model: Model, options?: Signal): Promise<TaskModel> =>
  (await send<TaskModel>({ method: 'DELETE', path: modelPath(model) }, options)).body;

/** Hosted models of the account. */
export class Models {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Collecting and active models, newest first. Requests the next page when the loop needs it. */
  list(options: ListOptions = {}): AsyncGenerator<TaskModelRow, void> {
    return listModels(this.#send, options);
  }

  /** One model with its training report. */
  async get(model: Model, options?: Signal): Promise<TaskModel> {
    return (await this.#send<TaskModel>({ method: 'GET', path: modelPath(model) }, options)).body;
  }

  /** Changes the name or the expiry of a model; fields that are left out do not change. */
  async update(model: Model, change: PatchRequest, options?: Signal): Promise<TaskModel> {
    const request = { method: 'PATCH', path: modelPath(model), body: change } as const;
    return (await this.#send<TaskModel>(request, options)).body;
  }

  /** Deletes a model for good. Deleting it again is no error. */
  delete(model: Model, options?: Signal): Promise<TaskModel> {
    return deleteModel(this.#send, model, options);
  }
}
