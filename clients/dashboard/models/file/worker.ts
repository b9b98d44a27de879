import { faultOf, type RecordingFaultName } from '../../../../infra/recordings/fault.ts';
import { createTasks, type Tasks } from './tasks.ts';

/** Address of this module: the page starts it again as a worker. */
export const address = import.meta.url;

export interface Question {
  readonly id: number;
  readonly task: keyof Tasks;
  readonly given: readonly unknown[];
}
export type Reply = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly message: string; readonly fault: RecordingFaultName | null }
);

/** Without a document this module runs in a worker: then it answers calls. */
if (typeof document === 'undefined' && typeof addEventListener === 'function') {
  const tasks = createTasks();
  addEventListener('message', (event: MessageEvent<Question>) => {
    const { id, task, given } = event.data;
    const answer = async (): Promise<unknown> => await (tasks[task] as (...each: unknown[]) => unknown)(...given);
    void answer().then(
      (value) => postMessage({ id, value } satisfies Reply),
      (error: unknown) => postMessage({ id, message: (error as Error).message, fault: faultOf(error) } satisfies Reply),
    );
  });
}
