import type { TaskKind } from '../types.ts';
import type { Text } from './text.ts';

export type RefusedCategory = 'emotion' | 'clinical' | 'biometrics' | 'demographics';

export interface Task {
  readonly description: Text;
  /** One per class. */
  readonly labels: readonly Text[];
  /** The kind of task that the description states; null if it states none. */
  readonly kind: TaskKind | null;
}

/** Position of the evidence. */
export interface Found {
  readonly text: Text;
  readonly from: number;
  readonly to: number;
}

export interface Rule {
  readonly category: RefusedCategory;
  find(task: Task): Found | null;
}
