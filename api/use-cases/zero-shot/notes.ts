import type { ReferenceUse } from '../../../infra/contract/task-model.ts';
import type { ReferenceEvidence } from '../../../ml/reference-fits/types.ts';
import type { ReferenceEvidenceAnswer } from '../../../infra/contract/reference-evidence.ts';
import { requestSentence } from '../../intake/request-sentences.ts';

/** Warnings about a model without own trials, before it is created. The evidence says what was approximated. */
export const evidenceWarnings = ({ quartiles, people, warnings }: ReferenceEvidence): string[] => [
  requestSentence('other_people', { people, quartile: quartiles[0].toFixed(2) }),
  ...warnings,
];

/**
 * Warning about predictions without alignment: a new person differs from all others. Null if alignment does not change
 * the model, because nothing is recentred.
 */
export function unalignedNote({ evidence }: ReferenceUse): string | null {
  const measured = evidence as ReferenceEvidenceAnswer | null;
  if (measured && measured.balanced_accuracy === measured.balanced_accuracy_unaligned) return null;
  return (
    'This model was fitted on other people, and a new person differs from them: send trials of one person and recording ' +
    'together with `align: "batch"`, which recentres them.' +
    (measured
      ? ` On people left out the balanced accuracy was ${measured.balanced_accuracy.toFixed(3)} with it and ` +
        `${measured.balanced_accuracy_unaligned.toFixed(3)} without.`
      : '')
  );
}
