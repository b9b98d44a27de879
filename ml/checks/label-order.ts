import { heldOutWarnings, sessionsOf } from './held-out.ts';
import { warningOf, type Check } from './types.ts';

/**
 * Without named sessions, warns of labels in blocks and of trials that overlap so much that none can be held out. The
 * report has the same warnings, and no evidence where no folds are possible.
 */
export const labelOrder: Check = (checked) => {
  const warnings = sessionsOf(checked).length > 0 ? [] : heldOutWarnings(checked);
  return warnings.length > 0 ? warningOf(warnings.join(' ')) : null;
};
