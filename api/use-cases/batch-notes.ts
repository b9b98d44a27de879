import { createHash } from 'node:crypto';
import type { BatchNotes } from '../../infra/records/task-models/batches.ts';
import type { PlanInput } from '../intake/plan-fit.ts';
import type { CreateInput } from './create-input.ts';

type BatchToNote = Pick<CreateInput, 'sessions' | 'recordings'> & {
  readonly create: Pick<CreateInput['create'], 'missing_channels'> & {
    readonly parameters?: { readonly baseline_seconds?: number | null };
  };
  /** Sets that the first batch was stored with; only for the first batch. Later batches get the same sets. */
  readonly featureSets?: readonly string[];
  readonly trials?: Pick<CreateInput['trials'], 'positions'>;
};

/**
 * Replaces a name by a short hash. The fit counts names and does not show them, and the rows of 250,000 trials with
 * long names would be large.
 */
const short = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 12);

/** '' represents trials without a name. */
const distinct = (names: readonly (string | null)[]): string[] =>
  [...new Set(names)].map((name) => (name ? short(name) : ''));

/** What the later fit must know of a batch. */
export const batchNotes = ({ create, featureSets, trials, sessions, recordings }: BatchToNote): BatchNotes => ({
  missingChannels: create.missing_channels,
  ...(create.parameters?.baseline_seconds ? { baselineSeconds: create.parameters.baseline_seconds } : {}),
  ...(featureSets ? { featureSets } : {}),
  ...(trials?.positions ? { positions: trials.positions } : {}),
  ...(sessions ? { sessions: distinct(sessions) } : {}),
  ...(recordings ? { recordings: distinct(recordings) } : {}),
});

/**
 * Notes of a deferred fit over all its batches: sets and positions of the first batch, sessions and recordings of all,
 * `reject` if any batch requests it.
 */
export function notesOf(
  batches: readonly (BatchNotes | undefined)[],
): Pick<PlanInput, 'sessions' | 'missingChannels' | 'positions' | 'recordings' | 'stored'> {
  const [first] = batches;
  const sessions = namesOf(batches, (notes) => notes?.sessions);
  const recordings = batches.some((notes) => notes?.recordings)
    ? namesOf(batches, (notes) => notes?.recordings ?? notes?.sessions)
    : null;
  return {
    sessions: Math.max(1, sessions.size),
    missingChannels: batches.some((notes) => notes?.missingChannels === 'reject') ? 'reject' : 'nearest',
    ...(first?.positions ? { positions: first.positions } : {}),
    ...(first?.featureSets ? { stored: first.featureSets } : {}),
    ...(recordings ? { recordings: recordings.size } : {}),
  };
}

/** Distinct names over all batches. Batches without names count as one more if other batches have names. */
const namesOf = (
  batches: readonly (BatchNotes | undefined)[],
  pick: (notes: BatchNotes | undefined) => readonly string[] | undefined,
): ReadonlySet<string> => (batches.some(pick) ? new Set(batches.flatMap((notes) => pick(notes) ?? [''])) : new Set());
