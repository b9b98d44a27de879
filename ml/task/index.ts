/** Determines the kind of task from its description and labels alone, and which tasks are refused. */
export { readTask } from './read-task.ts';
export { refuseTask } from './refuse.ts';
export type { RefusedCategory } from './types.ts';
export {
  matchReference,
  type MatchableTask,
  type MatchInput,
  type MatchResult,
  type ReferenceMatch,
} from './match-reference.ts';
