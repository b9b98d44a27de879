import { ApiError } from '../../../infra/contract/errors.ts';
import type { PeopleCounts } from '../../../infra/contract/reference-data/preparation.ts';
import type { ReferenceEvidence } from '../../../ml/reference-fits/types.ts';
import type { ReferenceEvidenceAnswer } from '../../../infra/contract/reference-evidence.ts';
import type { ReferenceTarget } from './mapping.ts';

/** Path of the model card of the movement network in this service. */
const networkCard = '/docs/movement-network';

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Whether held-out people were classified above chance: the one-sided 95 % bound over people is above chance. */
export const clearsChance = ({ lowerBound, chance }: Pick<ReferenceEvidence, 'lowerBound' | 'chance'>): boolean =>
  lowerBound > chance;

/** Leave-people-out evidence as answered, with the source of the recordings. */
export function evidenceAnswer(
  evidence: ReferenceEvidence,
  { set: { id, version, name, licence, citations, home } }: Pick<ReferenceTarget, 'set'>,
  people: PeopleCounts | null,
): ReferenceEvidenceAnswer {
  return {
    kind: 'leave_people_out',
    people: evidence.people,
    trials: evidence.trials,
    balanced_accuracy: rounded(evidence.balancedAccuracy),
    interval_95: evidence.interval95.map(rounded),
    one_person_95: evidence.onePerson95.map(rounded),
    lower_bound_95: rounded(evidence.lowerBound),
    chance: rounded(evidence.chance),
    quartiles: evidence.quartiles.map(rounded),
    balanced_accuracy_unaligned: rounded(evidence.withoutAlignment),
    electrodes_read: evidence.read,
    electrodes_not_read: evidence.notRead,
    trial_seconds: evidence.seconds,
    network: evidence.network ? { ...evidence.network, card: networkCard } : null,
    data_set: { id, version, name, licence: { name: licence.name, url: licence.url }, citations, home },
    people_missing: people?.missing ?? 0,
    people_unpublished: people?.own ?? 0,
    notes: evidence.notes,
  };
}

/** Throws NO_REFERENCE_DATA unless held-out people were classified above chance. */
export function requireEvidence(evidence: ReferenceEvidence, { set, task }: ReferenceTarget): void {
  if (clearsChance(evidence)) return;
  const { people, balancedAccuracy, lowerBound, chance, read, seconds } = evidence;
  throw new ApiError(
    'NO_REFERENCE_DATA',
    `Without trials this does not work here. Tested on ${people} people who were left out ("${task.name}" of ${set.name}), ` +
      `the balanced accuracy was ${balancedAccuracy.toFixed(3)} from ${read.length} electrodes and ${seconds} seconds. ` +
      `Its one-sided 95 % bound (${lowerBound.toFixed(3)}) is not above chance (${chance.toFixed(3)}). ` +
      'Send more electrodes or longer trials, or labelled trials of your own.',
    { field: 'channels', alternatives: [] },
  );
}
