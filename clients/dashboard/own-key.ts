import type { NewKeyAnswer } from '../../api/account/contract/responses.ts';

/**
 * The documentation of this tab reads this place and fills the key into its examples. The key is never sent anywhere.
 */
const place = 'eeg-own-key';

/** The test key that this tab was shown, until the tab is closed or its person signs out. Live keys are not kept. */
export const ownKey = {
  keep({ mode, key }: Pick<NewKeyAnswer, 'mode' | 'key'>): void {
    if (mode !== 'test') return;
    try {
      sessionStorage.setItem(place, key);
    } catch {
      // The examples keep their placeholder.
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(place);
    } catch {
      // Nothing was kept.
    }
  },
} as const;
