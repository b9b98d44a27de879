import { limits } from './limits.ts';
import { dollars, prices } from './prices.ts';

/** What a person can pay for, as pages list it. */
interface PriceLine {
  readonly what: string;
  readonly price: string;
  readonly note: string;
}

/** Every price, in the order in which a person meets them. */
export const priceList: readonly PriceLine[] = [
  { what: 'Try it', price: 'free', note: `Test models cost nothing and live for ${limits.testModelDays} days.` },
  { what: 'Make a model', price: dollars(prices.createFee), note: 'Once for each model. A fit that fails is free.' },
  {
    what: 'Keep a model',
    price: dollars(prices.hostingMonth),
    note: `For each month of ${limits.hostingDays} days, until you delete it.`,
  },
  {
    what: 'Label a trial',
    price: dollars(prices.window),
    note: `For each ${limits.windowSeconds} seconds of a trial.`,
  },
];
