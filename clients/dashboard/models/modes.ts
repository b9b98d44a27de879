import { limits } from '../../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../../infra/contract/prices.ts';
import { money } from '../ui/values.tsx';

/** The kinds of a new model, with what each costs. */
export const modes = [
  { value: 'test', words: 'Test', hint: `Free; deleted after ${limits.testModelDays} days.` },
  {
    value: 'live',
    words: 'Live',
    hint:
      `${money(formatUsd(prices.createFee))} once and ${money(formatUsd(prices.hostingMonth))} a month from your ` +
      'balance, until it expires or you delete it.',
  },
];
