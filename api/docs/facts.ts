import { count } from '../../infra/contract/quote.ts';
import { limits, newAccountLimits } from '../../infra/contract/limits.ts';
import { dollars, prices } from '../../infra/contract/prices.ts';
import { errorTable } from '../../infra/contract/errors.ts';
import { version } from '../contract/version.ts';
import { accountLimitsTable, limitsTable } from './limit-rows.ts';
import {
  errorIndex,
  errorSections,
  keyPermissions,
  ledgerKinds,
  lifecycle,
  referenceTasks,
  retryCodes,
} from './tables.ts';
import { blocks, folds, overlap } from './pictures/plans.ts';
import { calibration, chance, controls, corrected, learning } from './pictures/scores.ts';

/** Pictures of the pages by name, as HTML. */
const pictures = {
  folds,
  overlap,
  blocks,
  corrected,
  chance,
  learning,
  calibration,
  controls,
} as const satisfies Readonly<Record<string, () => string>>;

type Facts = Readonly<Record<string, () => string>>;

const named = (prefix: string, values: Readonly<Record<string, unknown>>, words: (value: never) => string): Facts =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => [`${prefix}.${name}`, () => words(value as never)]),
  );

/** Values of `{{name}}` in the pages: facts from the service's own tables, tables and pictures. */
const facts: Facts = {
  ...named('limit', limits, count),
  ...named('account', newAccountLimits, count),
  ...named('price', prices, dollars),
  'price.hundredTrials': () => dollars(100n * prices.window),
  'price.create': () => dollars(prices.createFee + prices.hostingMonth),
  'limit.bodyMiB': () => String(limits.bodyBytes / 1024 / 1024),
  'limit.zeroShotClasses': () => `${limits.zeroShotClasses.min} to ${limits.zeroShotClasses.max}`,
  'account.requestsPerWindow': () => count(newAccountLimits.rps * limits.rateWindowSeconds),
  version: () => version,
  'errors.count': () => String(Object.keys(errorTable).length),
  'errors.index': errorIndex,
  'errors.sections': errorSections,
  'errors.retried': retryCodes,
  limits: limitsTable,
  'limits.account': accountLimitsTable,
  'ledger.kinds': ledgerKinds,
  lifecycle,
  'key.permissions': keyPermissions,
  'reference.tasks': referenceTasks,
  ...Object.fromEntries(Object.entries(pictures).map(([name, draw]) => [`picture.${name}`, draw])),
};

/** Replaces every `{{name}}` in the text. Throws for an unknown name. */
export const fillIn = (text: string): string =>
  text.replace(/\{\{([^{}]+)\}\}/g, (_whole, name: string) => {
    const fact = facts[name];
    if (!fact) throw new RangeError(`No fact is named "${name}".`);
    return fact();
  });
