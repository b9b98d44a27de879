import type { TaskModelRowAnswer } from './response-types.ts';

/** What sets a model apart: its state, whether it is a test, whether it was fitted without trials. */
export function Badges({ model }: { readonly model: Pick<TaskModelRowAnswer, 'status' | 'test' | 'mode'> }) {
  return (
    <span class="badges">
      <span class={`badge ${model.status}`}>{model.status}</span>
      {model.test && <span class="badge">test</span>}
      {model.mode && <span class="badge">zero-shot</span>}
    </span>
  );
}

/** An instant of the interface (Unix seconds) as the pages read them. */
export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
