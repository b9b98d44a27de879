import { dataSets } from '../../infra/contract/reference-data/data-sets.ts';
import { inWholeSamples } from '../../infra/contract/reference-fits.ts';
import { lateCue } from '../../ml/methods/parts/reference-method.ts';
import { referenceUnreadable } from '../../ml/reference-fits/fit.ts';
import { readings, tooLong, type Unreadable } from '../../ml/reference-fits/readings.ts';
import type { ReferenceShape } from '../../ml/reference-fits/types.ts';
import {
  matchReference,
  readTask,
  type MatchableTask,
  type MatchInput,
  type MatchResult,
  type ReferenceMatch,
} from '../../ml/task/index.ts';
import { refuseUnsupported } from './plan-fit.ts';

const catalogue: readonly MatchableTask[] = dataSets.flatMap(({ id: set, tasks }) =>
  tasks.map(({ id: task, name, classes }) => ({
    set,
    task,
    name,
    classes: classes.map(({ id, name }) => ({ id, name })),
  })),
);

export interface Matched {
  readonly match: MatchResult;
  readonly category: string;
  /** Why the recordings of the first match cannot be read as trials of the shape; null: they can. */
  readonly unreadable: Unreadable | null;
  /** A length that they are read in: the shape's, at least the shortest that is read, at most that of their trials. */
  readonly nearestSeconds: number;
}

const bySeconds = (reason: string | null): Unreadable | null => (reason === null ? null : { by: 'seconds', reason });

/** Times the longest trials of the recordings that a caller's may last: they are read as short ones are. */
const mostTimesLonger = 15;

/** Matches of one request are of one data set and one kind of task, but for a few: the first stands for all. */
function unreadable({ task: { set, task } }: ReferenceMatch, shape: ReferenceShape): Unreadable | null {
  const { electrodes, tasks } = dataSets.find(({ id }) => id === set)!;
  const { kind, window } = tasks.find(({ id }) => id === task)!;
  const most = mostTimesLonger * window.longestSeconds;
  if (shape.seconds > most) return bySeconds(`needs trials of at most ${most} s; ${shape.seconds} s declared`);
  return referenceUnreadable(electrodes, { kind }, shape);
}

/** What a match is asked with. */
export interface MatchRequest extends MatchInput {
  readonly shape: ReferenceShape;
  /** Of each trial, before its cue; absent: none. */
  readonly baselineSeconds?: number;
}

/** Refuses the task, else finds the reference task that its words speak of; throws TASK_UNSUPPORTED. */
export function matchTask({ description, classes, shape, baselineSeconds = 0 }: MatchRequest): Matched {
  const labels = classes ?? [];
  refuseUnsupported({ description, labels });
  const match = matchReference(catalogue, { description, classes });
  const first = match.kind === 'matched' ? match : match.kind === 'ambiguous' ? match.matches[0] : null;
  return {
    match,
    category: readTask(description, labels).category,
    nearestSeconds: first ? nearest(first, shape) : shape.seconds,
    unreadable:
      first && (before(first, baselineSeconds) ?? misfit(first, shape) ?? misfit(first, inWholeSamples(shape))),
  };
}

const taskOf = ({ task: { set, task } }: ReferenceMatch) =>
  dataSets.find(({ id }) => id === set)!.tasks.find(({ id }) => id === task)!;

/** Why trials begin too early; as `unreadable`. */
const before = (match: ReferenceMatch, seconds: number): Unreadable | null =>
  bySeconds(lateCue(readings[taskOf(match).kind].set, seconds));

/** Why trials are of no shape that the recordings are read in; as `unreadable`. */
const misfit = (match: ReferenceMatch, shape: ReferenceShape): Unreadable | null =>
  unending(match, shape) ?? unreadable(match, shape);

/** Why trials go on for longer than the recordings tell; as `unreadable`. */
function unending(match: ReferenceMatch, { seconds }: ReferenceShape): Unreadable | null {
  const { kind, window } = taskOf(match);
  return bySeconds(tooLong(kind, window.longestSeconds, seconds));
}

function nearest(match: ReferenceMatch, { seconds }: ReferenceShape): number {
  const { kind, window } = taskOf(match);
  return Math.max(readings[kind].shortestSeconds, Math.min(window.longestSeconds, seconds));
}
