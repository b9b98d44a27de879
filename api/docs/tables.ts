import { errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import type { TransactionKind } from '../../infra/contract/ledger-kinds.ts';
import { lifecycleRules } from '../../infra/contract/lifecycle.ts';
import { dataSets, peopleOf } from '../../infra/contract/reference-data/data-sets.ts';
import { permissions } from '../contract/operation.ts';
import { errorFixes } from './fixes.ts';

/** Markdown tables for the pages, made from the service's own tables. */

const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const codes = Object.keys(errorTable) as ErrorCode[];

const retryWords = (code: ErrorCode): string => {
  const { retry, retryAfter } = errorTable[code];
  if (!retry) return 'no';
  return retryAfter ? 'after `Retry-After`' : 'with back-off';
};

/** One section per error code. */
export const errorSections = (): string =>
  codes
    .map((code) => {
      const { status, type, meaning } = errorTable[code];
      return (
        `### ${code}\n\n**${status}** · \`${type}\` · sent again unchanged: ${retryWords(code)}\n\n` +
        `${meaning}\n\n**Fix.** ${errorFixes[code]}\n`
      );
    })
    .join('\n');

/** One line per error code. */
export const errorIndex = (): string =>
  table(
    ['Code', 'Status', 'Send again unchanged'],
    codes.map((code) => [
      `[\`${code}\`](/docs/errors#${code.toLowerCase()})`,
      errorTable[code].status,
      retryWords(code),
    ]),
  );

/** The codes that clients should retry, as a list in words. */
export const retryCodes = (): string =>
  codes
    .filter((code) => errorTable[code].retry)
    .map((code) => `\`${code}\``)
    .join(', ');

const ledgerWords: Readonly<Record<TransactionKind, string>> = {
  'credit.free': 'The free credit of a new account, once.',
  'credit.operator': 'Credit that the operator gives or takes back.',
  'hold.reserve': 'The cost of a create is reserved while it runs.',
  'hold.release': 'The reserved credit is free again: the fit failed or was cancelled.',
  'task_models.create_fee': 'The create fee, once a fit has succeeded.',
  'task_models.hosting': 'A month of hosting, when it begins.',
  'task_models.hosting_refund': 'A month that was charged although the model ended before it began, given back.',
  'task_models.predict': 'Windows of a prediction, or of a batch of a deferred fit.',
};
/** The kinds of ledger lines. */
export const ledgerKinds = (): string =>
  table(
    ['Kind', 'What it is'],
    Object.entries(ledgerWords).map(([kind, words]) => [`\`${kind}\``, words]),
  );

/** The automatic events of a model. */
export const lifecycle = (): string =>
  table(
    ['A model that is', 'of a key', 'What happens by itself'],
    lifecycleRules.map(({ status, mode, words }) => [status.join(', '), mode ?? 'live or test', words]),
  );

/** What each permission of a key allows. */
export const keyPermissions = (): string =>
  table(
    ['What a key does', 'Permission'],
    [
      ['create, estimate, add trials, fit, predict, rename, delete', permissions.use],
      ['list models and read one', permissions.read],
      ['read usage and limits', permissions.usage],
    ].map(([what, names]) => [
      String(what),
      [names]
        .flat()
        .map((name) => `\`${name}\``)
        .join(' or '),
    ]),
  );

/** Every task with reference recordings. */
export const referenceTasks = (): string =>
  table(
    ['Task', 'Classes', 'Recordings', 'People', 'Licence'],
    dataSets.flatMap((set) =>
      set.tasks.map(({ name, classes }) => [
        name,
        classes.map((each) => each.name).join(', '),
        `[${set.name}](${set.home})`,
        peopleOf(set).length,
        `[${set.licence.spdx}](${set.licence.url})`,
      ]),
    ),
  );
