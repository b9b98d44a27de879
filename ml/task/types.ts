import type { TaskKind } from '../types.ts';
import type { Text } from './text.ts';

export type RefusedCategory = 'emotion' | 'clinical' | 'biometrics' | 'demographics';

export interface Task {
  readonly description: Text;
  /** One per class. */
  readonly labels: readonly Text[];
  /** What the description says the task is, where it says so. */
  readonly kind: TaskKind | null;
}

/** Where the evidence is. */
export interface Found {
  readonly text: Text;
  readonly from: number;
  readonly to: number;
}

export interface Rule {
  readonly category: RefusedCategory;
  find(task: Task): Found | null;
}
