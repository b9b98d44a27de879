import { dataSets } from '../../infra/contract/reference-data/data-sets.ts';
import { inWholeSamples } from '../../infra/contract/reference-fits.ts';
import { networkTaskOf } from '../../ml/encoders/movement/index.ts';
import { lateCue } from '../../ml/methods/parts/reference-method.ts';
import { networkEvidence } from '../../ml/reference-fits/network-evidence.ts';
import { referenceUnreadable } from '../../ml/reference-fits/fit.ts';
import { readings, tooLong, type Unreadable } from '../../ml/reference-fits/readings.ts';
import type { ReferenceEvidence, ReferenceShape } from '../../ml/reference-fits/types.ts';
import {
  matchReference,
  readTask,
  type MatchableTask,
  type MatchInput,
  type MatchResult,
  type ReferenceMatch,
} from '../../ml/task/index.ts';
import type { NetworkTask } from '../../ml/types.ts';
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
  /** Why the recordings of the first match cannot be cut into trials of the shape; null: they can. */
  readonly unreadable: Unreadable | null;
  /**
   * A trial length that the recordings allow: the shape's, but at least the shortest and at most the longest possible.
   */
  readonly nearestSeconds: number;
  /** The task of the movement network that the request may mean; null: none. */
  readonly network: NetworkTask | null;
  /** Its evidence without own trials, by the reference task that is meant. */
  readonly networkEvidence: Readonly<Record<string, ReferenceEvidence>>;
}

const bySeconds = (reason: string | null): Unreadable | null => (reason === null ? null : { by: 'seconds', reason });

/** A caller's trials may be longer than those of the recordings by this factor. They are read like short ones. */
const mostTimesLonger = 15;

/** The matches of a request are almost always of one data set and one kind of task, so the first one represents all. */
function unreadable({ task: { set, task } }: ReferenceMatch, shape: ReferenceShape): Unreadable | null {
  const { electrodes, tasks } = dataSets.find(({ id }) => id === set)!;
  const { kind, window } = tasks.find(({ id }) => id === task)!;
  const longest = mostTimesLonger * window.longestSeconds;
  if (shape.seconds > longest) return bySeconds(`needs trials of at most ${longest} s; ${shape.seconds} s declared`);
  return referenceUnreadable(electrodes, { kind }, shape);
}

/** The request to match. */
export interface MatchRequest extends MatchInput {
  readonly shape: ReferenceShape;
  /** Seconds before the cue in each trial; absent: none. */
  readonly baselineSeconds?: number;
}

/** Rejects an unsupported task, else finds the reference task that the description means. Throws TASK_UNSUPPORTED. */
export function matchTask({ description, classes, shape, baselineSeconds = 0 }: MatchRequest): Matched {
  const labels = classes ?? [];
  refuseUnsupported({ description, labels, named: 'classes' });
  const match = matchReference(catalogue, { description, classes });
  const matches = match.kind === 'matched' ? [match] : match.kind === 'ambiguous' ? match.matches : [];
  const first = matches[0] ?? null;
  return {
    match,
    category: readTask(description, labels).category,
    network: networkTaskOf(matches),
    networkEvidence: evidenceOf(matches, shape),
    nearestSeconds: first ? nearest(first, shape) : shape.seconds,
    unreadable:
      first &&
      (tooEarlyReason(first, baselineSeconds) ??
        shapeReason(first, shape) ??
        shapeReason(first, inWholeSamples(shape))),
  };
}

function evidenceOf(matches: readonly ReferenceMatch[], shape: ReferenceShape): Matched['networkEvidence'] {
  const known = matches.flatMap(({ task: { task }, mapping }) => {
    const evidence = Object.keys(mapping).length === 2 ? networkEvidence(task, inWholeSamples(shape)) : null;
    return evidence ? [[task, evidence] as const] : [];
  });
  return Object.fromEntries(known);
}

const taskOf = ({ task: { set, task } }: ReferenceMatch) =>
  dataSets.find(({ id }) => id === set)!.tasks.find(({ id }) => id === task)!;

/** Why the trials begin too early; as `unreadable`. */
const tooEarlyReason = (match: ReferenceMatch, seconds: number): Unreadable | null =>
  bySeconds(lateCue(readings[taskOf(match).kind].set, seconds));

/** Why the recordings cannot be cut into trials of this shape; as `unreadable`. */
const shapeReason = (match: ReferenceMatch, shape: ReferenceShape): Unreadable | null =>
  tooLongReason(match, shape) ?? unreadable(match, shape);

/** Why the trials are longer than the recordings allow; as `unreadable`. */
function tooLongReason(match: ReferenceMatch, { seconds }: ReferenceShape): Unreadable | null {
  const { kind, window } = taskOf(match);
  return bySeconds(tooLong(kind, window.longestSeconds, seconds));
}

function nearest(match: ReferenceMatch, { seconds }: ReferenceShape): number {
  const { kind, window } = taskOf(match);
  return Math.max(readings[kind].shortestSeconds, Math.min(window.longestSeconds, seconds));
}
