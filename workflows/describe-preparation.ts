import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { PreparedPerson } from '../activities/activities.ts';
import type { PreparationStatus, ReferenceTaskKey } from '../infra/contract/reference-data/preparation.ts';
import { referenceAttributesOf } from './search-attributes.ts';

/** The details of a preparation in the Temporal UI. */
export interface PreparationView {
  readonly key: ReferenceTaskKey;
  readonly doing: string;
  /** null: not known yet. */
  readonly people: {
    readonly all: number;
    /** Number of files of all people. */
    readonly files: number;
    readonly done: readonly PreparedPerson[];
  } | null;
  readonly inHand: readonly string[];
  /** Tasks that wait behind this one. */
  waiting(): readonly string[];
}

/** Writes the details, and the search attributes that changed. */
export function describePreparation(view: PreparationView, status: PreparationStatus): void {
  setCurrentDetails(detailsOf(view, status));
  const attributes = referenceAttributesOf(view.key.set, status);
  const known = workflowInfo().typedSearchAttributes;
  if (attributes.some(({ key, value }) => known.get(key) !== value)) upsertSearchAttributes(attributes);
}

function detailsOf({ key, doing, people, inHand, waiting }: PreparationView, status: PreparationStatus): string {
  const lines = [`**${status}** · ${key.set} ${key.version} · ${key.task}`, doing];
  if (people) {
    const found = people.done.flatMap((each) => (each.status === 'stopped' ? [] : [each]));
    const files = found.reduce((sum, each) => sum + each.files, 0);
    const bytes = found.reduce((sum, each) => sum + each.bytes, 0);
    lines.push(
      `${found.length} of ${people.all} people, ${files} of ${people.files} files, ${(bytes / 1e6).toFixed(1)} MB`,
    );
    lines.push(...found.flatMap(({ reason }) => reason ?? []).slice(0, mostReasons));
  }
  if (inHand.length > 0) lines.push(`In hand: ${inHand.join(', ')}`);
  const next = waiting();
  if (next.length > 0) lines.push(`Next: ${next.join(', ')}`);
  return lines.join('\n\n');
}

const mostReasons = 5;
