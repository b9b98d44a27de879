import { heldOutWarnings, sessionsOf } from './held-out.ts';
import { warningOf, type Check } from './types.ts';

/**
 * Labels that come in blocks where no sessions are named, or trials that overlap so much that none can be held out: the
 * report says the same, and gives no evidence where no folds can.
 */
export const labelOrder: Check = (checked) => {
  const warnings = sessionsOf(checked).length > 0 ? [] : heldOutWarnings(checked);
  return warnings.length > 0 ? warningOf(warnings.join(' ')) : null;
};
