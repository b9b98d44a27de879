import { collection } from './create.ts';
import { modelPath, type RequestOptions, type Send } from './transport.ts';
import type { PatchRequest, TaskModel, TaskModelList, TaskModelRow } from './types.ts';

type Model = string | { readonly id: string };
type Signal = Pick<RequestOptions, 'signal'>;

export interface ListOptions extends Signal {
  /** Models of a page, 1 to 100. */
  readonly limit?: number;
}

async function* listModels(send: Send, { limit = 100, signal }: ListOptions): AsyncGenerator<TaskModelRow, void> {
  let before: string | null = null;
  do {
    const query: string = new URLSearchParams({ limit: String(limit), ...(before ? { before } : {}) }).toString();
    const path = `${collection}?${query}`;
    const { body }: { body: TaskModelList } = await send<TaskModelList>({ method: 'GET', path }, { signal });
    yield* body.data;
    before = body.next_before;
  } while (before !== null);
}

export const deleteModel = async (send: Send, model: Model, options?: Signal): Promise<TaskModel> =>
  (await send<TaskModel>({ method: 'DELETE', path: modelPath(model) }, options)).body;

/** The hosted models of the account. */
export class Models {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Collecting and active models, newest first, page after page as they are asked for. */
  list(options: ListOptions = {}): AsyncGenerator<TaskModelRow, void> {
    return listModels(this.#send, options);
  }

  async get(model: Model, options?: Signal): Promise<TaskModel> {
    return (await this.#send<TaskModel>({ method: 'GET', path: modelPath(model) }, options)).body;
  }

  /** Renames a model, or sets or clears when it expires; what is left out stays as it is. */
  async update(model: Model, change: PatchRequest, options?: Signal): Promise<TaskModel> {
    const request = { method: 'PATCH', path: modelPath(model), body: change } as const;
    return (await this.#send<TaskModel>(request, options)).body;
  }

  /** Ends hosting for good; a deleted model may be deleted again. */
  delete(model: Model, options?: Signal): Promise<TaskModel> {
    return deleteModel(this.#send, model, options);
  }
}
