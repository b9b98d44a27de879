import { ApiError } from '../../../infra/contract/errors.ts';
import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { briefList, quoted } from '../../../infra/contract/quote.ts';
import type { MatchableTask } from '../../../ml/task/index.ts';
import type { Unreadable } from '../../../ml/reference-fits/readings.ts';
import type { ReferenceEvidence, ReferenceShape } from '../../../ml/reference-fits/types.ts';
import type { ZeroShotRequest } from '../../contract/requests.ts';
import type { ApiDeps } from '../../deps.ts';
import { referenceClassesOf, sentTarget, targetOf, type ReferenceTarget } from './mapping.ts';

export interface Found {
  readonly target: ReferenceTarget;
  readonly category: string;
  /** Evidence of the movement network for the shape; null: it does not read it, or has no head for the task. */
  readonly network: ReferenceEvidence | null;
}

const choices = 3;

/** The error if no task of the catalogue matches the description. */
function noneMatches({ description, classes }: ZeroShotRequest, nearest: readonly MatchableTask[]): ApiError {
  const shown = nearest.slice(0, choices);
  const names = shown.map(({ name }) => `"${name}"`).join(', ');
  const request = quoted(description) + (classes ? ` and its ${classes.length} classes` : '');
  return new ApiError(
    'NO_REFERENCE_DATA',
    `No reference recordings match ${request}. ` +
      (names ? `The nearest tasks are ${names}; if none of them is yours, send` : 'Send') +
      ' labelled trials of your own.',
    {
      field: classes ? 'classes' : 'description',
      alternatives: shown.map(({ name, classes: all }) => ({
        description: name,
        classes: all.map((each) => each.name),
        reference_classes: null,
      })),
    },
  );
}

/** What the participant does in each of the possible targets, one line each. */
const readings = (targets: readonly ReferenceTarget[]): string =>
  targets
    .map(({ task, mapping }) => {
      const names = Object.entries(mapping).map(([name, id]) => {
        const found = task.classes.find((each) => each.id === id)!;
        return found.name === name ? `"${name}"` : `${quoted(name, 40)} as "${found.name}"`;
      });
      return `"${task.name}" (${names.join(', ')})`;
    })
    .join(' or ');

function ambiguous(targets: readonly ReferenceTarget[]): ApiError {
  const mappings = targets.map((target) => ({ reference_classes: referenceClassesOf(target) }));
  return invalidField(
    'reference_classes',
    `The task is not clear: it may mean ${readings(targets)}. Say in \`description\` or \`classes\` what the ` +
      `participant does, or send one of \`alternatives\` if it is what you mean.`,
    mappings,
  );
}

function changed(targets: readonly ReferenceTarget[]): ApiError {
  return invalidField(
    'reference_classes',
    'reference_classes is not the mapping that the estimate of this description and these classes returns. Send it ' +
      'unchanged, or say in `description` or `classes` what the participant does, and estimate again.',
    targets.map((target) => ({ reference_classes: referenceClassesOf(target) })),
  );
}

/** The request field of each part of the shape. */
const fields = { channelNames: 'channels', sourceRateHz: 'sampling_rate_hz', seconds: 'trial_seconds' } as const;

/** The error if the recordings cannot be read with the caller's electrodes, rate or length. */
function cannotBeRead(
  { by, reason }: Unreadable,
  nearestSeconds: number,
  { set, task }: ReferenceTarget,
  shape: ReferenceShape,
): ApiError {
  const few = shape.channelNames.filter((name) => set.electrodes.includes(name)).length < shape.channelNames.length / 2;
  return new ApiError(
    'NO_REFERENCE_DATA',
    `Reading "${task.name}" of ${set.name} ${reason}.` +
      (few ? ` Its ${set.electrodes.length} electrodes are ${briefList(set.electrodes, 80)}.` : ''),
    { field: fields[by], ...(by === 'seconds' && { alternatives: [{ trial_seconds: nearestSeconds }] }) },
  );
}

/**
 * The reference task that a request without trials describes. `reference_classes` chooses if several are possible.
 * First throws TASK_UNSUPPORTED for an unsupported task. Throws NO_REFERENCE_DATA if no task matches or can be read.
 * Throws INVALID_REQUEST, with the possible mappings, if several are possible or if a different one was sent.
 */
export async function findTarget(
  { threads }: Pick<ApiDeps, 'threads'>,
  accountId: string,
  envelope: ZeroShotRequest,
  shape: ReferenceShape,
): Promise<Found> {
  const { description, classes, reference_classes: sent } = envelope;
  const { match, category, unreadable, nearestSeconds, networkEvidence } = await threads.match(accountId, {
    description,
    classes,
    shape,
  });
  if (match.kind === 'none') throw noneMatches(envelope, match.nearest);
  const targets = (match.kind === 'matched' ? [match] : match.matches).map(targetOf);
  if (unreadable) throw cannotBeRead(unreadable, nearestSeconds, targets[0], shape);
  const found = (target: ReferenceTarget): Found => ({
    target,
    category,
    network: networkEvidence[target.task.id] ?? null,
  });
  if (sent !== null) {
    const target = sentTarget(targets, sent);
    if (!target) throw changed(targets);
    return found(target);
  }
  if (match.kind === 'ambiguous') throw ambiguous(targets);
  return found(targets[0]);
}
