import type { TaskModelRowAnswer } from './response-types.ts';

/** Labels of a model: its state, test mode, zero-shot. */
export function Badges({ model }: { readonly model: Pick<TaskModelRowAnswer, 'status' | 'test' | 'mode'> }) {
  return (
    <span class="badges">
      <span class={`badge ${model.status}`}>{model.status}</span>
      {model.test && <span class="badge">test</span>}
      {model.mode && <span class="badge">zero-shot</span>}
    </span>
  );
}

/** Converts the API's Unix seconds to an ISO date. */
export const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** When a model stops answering, Unix seconds: the earlier of its two end dates; Infinity: when it is deleted. */
export const endOf = ({ expires_at, test_ends_at }: Pick<TaskModelRowAnswer, 'expires_at' | 'test_ends_at'>): number =>
  Math.min(expires_at ?? Infinity, test_ends_at ?? Infinity);
