import { dollars, formatUsd } from '../../contract/prices.ts';
import { quotaNames, quotas, type QuotaName } from '../../contract/quotas.ts';
import {
  acceptTerms,
  createAccount,
  findAccount,
  resume,
  setLimits,
  suspend,
  type AccountLimits,
} from '../../records/accounts/accounts.ts';
import { hashPassword } from '../../records/accounts/password.ts';
import { balance } from '../../records/ledger/wallet.ts';
import { credit } from '../../records/ledger/credit.ts';
import { renewUnpaid } from '../../records/task-models/hosting.ts';
import { sqlState } from '../../drivers/postgres/errors.ts';
import { transaction } from '../../drivers/postgres/transaction.ts';
import type { Command } from './command.ts';
import { AdminError, big, cap, optional, required, shown, usd, whole, type Options } from './options.ts';

const account = { account: { type: 'string' } } as const;

const caps = (limits: AccountLimits) => ({
  rps: limits.rps,
  burst: limits.burst,
  concurrency: limits.concurrency,
  daily_estimates: limits.dailyEstimates,
  daily_cap_usd: limits.dailyCapMicroUsd === null ? null : formatUsd(limits.dailyCapMicroUsd),
  monthly_cap_usd: limits.monthlyCapMicroUsd === null ? null : formatUsd(limits.monthlyCapMicroUsd),
  daily_windows: limits.dailyWindows === null ? null : Number(limits.dailyWindows),
  monthly_windows: limits.monthlyWindows === null ? null : Number(limits.monthlyWindows),
  ...Object.fromEntries(
    quotaNames.map((name) => [quotas[name].column, limits[name] === null ? null : Number(limits[name])]),
  ),
});

/** The option that sets a quota. */
const optionOf = (name: QuotaName): string => quotas[name].column.replaceAll('_', '-');

export const accountCommands: Readonly<Record<string, Command>> = {
  'account create': {
    usage: '--email E [--password P] --accept-terms   (without P, or where it is -, it is read from standard input)',
    options: { email: { type: 'string' }, password: { type: 'string' }, 'accept-terms': { type: 'boolean' } },
    async run({ pool, at, standardInput }, o) {
      const given = optional(o, 'password');
      const password = given === undefined || given === '-' ? await standardInput() : given;
      if (!password) throw new AdminError('--password is missing, and standard input holds none.');
      const email = required(o, 'email');
      const passwordHash = await hashPassword(password, email);
      const made = await transaction(
        pool,
        async (sql) =>
          await createAccount(sql, {
            email,
            passwordHash,
            acceptTerms: o['accept-terms'] === true,
            at,
          }),
      );
      return { account_id: made.id };
    },
  },
  'account accept-terms': {
    usage: '--account ID',
    options: account,
    async run({ pool, at }, o) {
      await acceptTerms(pool, required(o, 'account'), at);
      return { account_id: required(o, 'account'), terms_accepted: true };
    },
  },
  'account show': {
    usage: '--account ID | --email E',
    options: { ...account, email: { type: 'string' } },
    async run({ pool }, o) {
      const email = optional(o, 'email');
      const found = await findAccount(pool, email === undefined ? { id: required(o, 'account') } : { email });
      if (!found) throw new AdminError(`There is no account ${email ?? optional(o, 'account')}.`);
      const { available, held } = await balance(pool, found.id);
      return {
        account_id: found.id,
        email: found.email,
        terms_accepted: found.termsAcceptedAt !== null,
        suspended: found.suspendedAt !== null,
        balance_usd: formatUsd(available),
        held_usd: formatUsd(held),
        limits: caps(found),
      };
    },
  },
  'account credit': {
    usage: '--account ID --usd AMOUNT [--note TEXT]   (a negative amount takes credit back: --usd=-2.50)',
    options: { ...account, usd: { type: 'string' }, note: { type: 'string' } },
    async run({ pool, at }, o) {
      const accountId = required(o, 'account');
      const amount = usd(o, 'usd');
      if (!amount) throw new AdminError('--usd is missing, or zero.');
      if (!(await findAccount(pool, { id: accountId }))) throw new AdminError(`There is no account ${accountId}.`);
      await transaction(
        pool,
        async (sql) => await credit(sql, { accountId, amount, source: 'operator', at, note: shown(o, 'note') }),
      ).catch(async (cause: unknown) => {
        if (sqlState(cause) !== '23514') throw cause;
        const { available } = await balance(pool, accountId);
        throw new AdminError(
          `Taking back ${dollars(-amount)} would bring the balance of ${dollars(available)} below zero.`,
          { cause },
        );
      });
      const paid = await transaction(pool, async (sql) => await renewUnpaid(sql, accountId, at));
      return {
        account_id: accountId,
        balance_usd: formatUsd((await balance(pool, accountId)).available),
        hosting_paid: paid,
      };
    },
  },
  'account suspend': {
    usage: '--account ID',
    options: account,
    async run({ pool, at }, o) {
      await suspend(pool, required(o, 'account'), at);
      return { account_id: required(o, 'account'), suspended: true };
    },
  },
  'account resume': {
    usage: '--account ID',
    options: account,
    async run({ pool }, o) {
      await resume(pool, required(o, 'account'));
      return { account_id: required(o, 'account'), suspended: false };
    },
  },
  'account limits': {
    usage:
      '--account ID [--rps N] [--burst N] [--concurrency N] [--daily-estimates N] [--daily-cap-usd A|none] ' +
      '[--monthly-cap-usd A|none] [--daily-windows N|none] [--monthly-windows N|none] ' +
      quotaNames.map((name) => `[--${optionOf(name)} N|none]`).join(' '),
    options: {
      ...account,
      rps: { type: 'string' },
      burst: { type: 'string' },
      concurrency: { type: 'string' },
      'daily-estimates': { type: 'string' },
      'daily-cap-usd': { type: 'string' },
      'monthly-cap-usd': { type: 'string' },
      'daily-windows': { type: 'string' },
      'monthly-windows': { type: 'string' },
      ...Object.fromEntries(quotaNames.map((name) => [optionOf(name), { type: 'string' as const }])),
    },
    async run({ pool, at }, o) {
      const accountId = required(o, 'account');
      const limits = {
        rps: positive(o, 'rps'),
        burst: positive(o, 'burst'),
        concurrency: positive(o, 'concurrency'),
        dailyEstimates: whole(o, 'daily-estimates'),
        dailyCapMicroUsd: notNegative(o, 'daily-cap-usd'),
        monthlyCapMicroUsd: notNegative(o, 'monthly-cap-usd'),
        dailyWindows: cap(o, 'daily-windows', big),
        monthlyWindows: cap(o, 'monthly-windows', big),
        ...Object.fromEntries(quotaNames.map((name) => [name, cap(o, optionOf(name), big)])),
      };
      const now = await transaction(pool, async (sql) => await setLimits(sql, accountId, limits));
      await transaction(pool, async (sql) => await renewUnpaid(sql, accountId, at));
      return { account_id: accountId, limits: caps(now) };
    },
  },
};

function positive(o: Options, name: string): number | undefined {
  const value = whole(o, name);
  if (value === 0) throw new AdminError(`--${name} must be at least 1.`);
  return value;
}

function notNegative(o: Options, name: string): bigint | null | undefined {
  const value = cap(o, name, usd);
  if (typeof value === 'bigint' && value < 0n) throw new AdminError(`--${name} must not be negative.`);
  return value;
}
