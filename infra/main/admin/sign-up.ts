import { formatUsd } from '../../contract/prices.ts';
import { transaction } from '../../drivers/postgres/transaction.ts';
import {
  approveCredit,
  freeCreditChoices,
  readSignUpPolicy,
  setSignUpPolicy,
  signUpModes,
  type SignUpPolicy,
} from '../../records/accounts/sign-up.ts';
import { listAccounts, type ListedAccount } from '../../records/accounts/list.ts';
import { balance } from '../../records/ledger/wallet.ts';
import type { Command } from './command.ts';
import { AdminError, instant, optional, required, whole, type Options } from './options.ts';

const policyAnswer = ({ mode, freeCredit }: SignUpPolicy) => ({ mode, free_credit: freeCredit });

function choice<T extends string>(o: Options, name: string, choices: readonly T[]): T | undefined {
  const value = optional(o, name);
  const chosen = choices.find((each) => each === value);
  if (value !== undefined && chosen === undefined)
    throw new AdminError(`--${name} is ${choices.join(', ')}; not "${value}".`);
  return chosen;
}

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

const listed = (account: ListedAccount) => ({
  account_id: account.id,
  email: account.email,
  created: account.createdAt.toISOString(),
  terms: account.terms,
  suspended_since: time(account.suspendedAt),
  credit_waits_since: time(account.creditWaitsSince),
  closed: time(account.closedAt),
  balance_usd: formatUsd(account.available),
  keys: account.keys,
});

const usualAccounts = 100;

/** Shows who may sign up, who has signed up, and the free credit that waits for the operator's approval. */
export const signUpCommands: Readonly<Record<string, Command>> = {
  'sign-up show': {
    usage: '',
    options: {},
    run: async ({ pool }) => policyAnswer(await readSignUpPolicy(pool)),
  },
  'sign-up set': {
    usage: `[--mode ${signUpModes.join('|')}] [--free-credit ${freeCreditChoices.join('|')}]`,
    options: { mode: { type: 'string' }, 'free-credit': { type: 'string' } },
    async run({ pool }, o) {
      const change = { mode: choice(o, 'mode', signUpModes), freeCredit: choice(o, 'free-credit', freeCreditChoices) };
      if (change.mode === undefined && change.freeCredit === undefined)
        throw new AdminError('--mode or --free-credit is missing.');
      return policyAnswer(await setSignUpPolicy(pool, change));
    },
  },
  'account list': {
    usage: '[--waiting] [--limit N] [--before T]   (newest first; --waiting: those whose free credit waits)',
    options: { waiting: { type: 'boolean' }, limit: { type: 'string' }, before: { type: 'string' } },
    async run({ pool }, o) {
      const limit = whole(o, 'limit') ?? usualAccounts;
      if (limit < 1 || limit > 10_000) throw new AdminError('--limit is 1 to 10000.');
      const before = instant(o, 'before') ?? null;
      const accounts = await listAccounts(pool, { before, limit, waiting: o['waiting'] === true });
      const next = accounts.length < limit ? null : (accounts.at(-1)?.createdAt.toISOString() ?? null);
      return { accounts: accounts.map(listed), next_before: next };
    },
  },
  'account approve-credit': {
    usage: '--account ID   (gives the free credit that waits)',
    options: { account: { type: 'string' } },
    async run({ pool, at }, o) {
      const accountId = required(o, 'account');
      await transaction(pool, (sql) => approveCredit(sql, accountId, at));
      return { account_id: accountId, balance_usd: formatUsd((await balance(pool, accountId)).available) };
    },
  },
};
