import { setServing } from '../../records/admission/serving.ts';
import { createKey, listKeys, revokeKey } from '../../records/accounts/keys.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { keyPrefix } from '../../records/accounts/key-format.ts';
import { checkLedger } from '../../records/ledger/check.ts';
import { ledgerHead, type LedgerHead } from '../../records/ledger/check-seals.ts';
import { sealInTurn } from '../../records/ledger/seal.ts';
import type { Command } from './command.ts';
import { AdminError, instant, list, optional, required, shown, whole } from './options.ts';

/**
 * Most problems that `ledger check` prints one by one; its errors name the first of each invariant and count the
 * others.
 */
const mostShown = 20;

export const serviceCommands: Readonly<Record<string, Command>> = {
  'key create': {
    usage: '--account ID --mode live|test [--scopes a,b] [--allow-ip CIDR] [--expires-at T] [--name TEXT]',
    options: {
      account: { type: 'string' },
      mode: { type: 'string' },
      scopes: { type: 'string' },
      'allow-ip': { type: 'string', multiple: true },
      'expires-at': { type: 'string' },
      name: { type: 'string' },
    },
    async run({ pool, at }, o) {
      const mode = required(o, 'mode');
      if (mode !== 'live' && mode !== 'test') throw new AdminError(`--mode is live or test, not "${mode}".`);
      const { key, keyId } = await createKey(pool, {
        accountId: required(o, 'account'),
        mode,
        scopes: list(o, 'scopes'),
        allowIps: list(o, 'allow-ip'),
        expiresAt: instant(o, 'expires-at'),
        name: shown(o, 'name'),
        at,
      });
      return { key, key_id: keyId };
    },
  },
  'key list': {
    usage: '--account ID',
    options: { account: { type: 'string' } },
    async run({ pool, at }, o) {
      const accountId = required(o, 'account');
      if (!(await findAccount(pool, { id: accountId }))) throw new AdminError(`There is no account ${accountId}.`);
      const keys = await listKeys(pool, accountId, at);
      return {
        account_id: accountId,
        keys: keys.map(({ keyId, name, mode, scopes, allowIps, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
          key_id: keyId,
          prefix: keyPrefix(mode, keyId),
          name,
          mode,
          scopes,
          allow_ips: allowIps,
          created: createdAt.toISOString(),
          expires_at: expiresAt?.toISOString() ?? null,
          revoked_at: revokedAt?.toISOString() ?? null,
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
      };
    },
  },
  'key revoke': {
    usage: '--key-id ID',
    options: { 'key-id': { type: 'string' } },
    async run({ pool, at }, o) {
      const keyId = required(o, 'key-id');
      await revokeKey(pool, keyId, at);
      return { key_id: keyId, revoked: true };
    },
  },
  'serving disable': {
    usage: '[--message TEXT] [--retry-after SECONDS]',
    options: { message: { type: 'string' }, 'retry-after': { type: 'string' } },
    async run({ pool }, o) {
      await setServing(pool, {
        serving: false,
        message: shown(o, 'message'),
        retryAfterSeconds: whole(o, 'retry-after'),
      });
      return { serving: false };
    },
  },
  'serving enable': {
    usage: '',
    options: {},
    async run({ pool }) {
      await setServing(pool, { serving: true });
      return { serving: true };
    },
  },
  'ledger check': {
    usage: '[--since-head HASH] [--all]',
    options: { 'since-head': { type: 'string' }, all: { type: 'boolean' } },
    async run({ pool, at }, o) {
      const sinceHead = optional(o, 'since-head');
      if (sinceHead !== undefined && !/^[0-9a-f]{64}$/.test(sinceHead))
        throw new AdminError(`--since-head "${sinceHead}" is not 64 hexadecimal digits, as "head.hash" shows them.`);
      const check = await checkLedger(pool, { at, all: o['all'] === true, ...(sinceHead && { sinceHead }) });
      const { ok, problems, checked, transactions, unsealed, head, ancestor } = check;
      const counts = Object.entries(Object.groupBy(problems, ({ invariant }) => invariant));
      const failed = counts.map(([invariant, found]) => {
        const { row, problem } = found![0]!;
        const others = found!.length > 1 ? `, and ${found!.length - 1} more` : '';
        return `${row}: ${problem} (${invariant})${others}`;
      });
      return {
        ok,
        transactions,
        unsealed,
        head: head && headRow(head),
        ...(sinceHead !== undefined && { since_head: { hash: sinceHead, number: ancestor } }),
        invariants: checked.length,
        problems: problems.slice(0, mostShown),
        ...(problems.length > mostShown && { not_shown: problems.length - mostShown }),
        ...(ok ? {} : { failed }),
      };
    },
  },
  'ledger head': {
    usage: '',
    options: {},
    async run({ pool }) {
      const { left } = await sealInTurn(pool);
      const head = await ledgerHead(pool);
      return { head: head && headRow(head), left };
    },
  },
};

const headRow = ({ number, hash, branch, sealedAt }: LedgerHead) => ({
  number,
  hash,
  branch,
  sealed_at: sealedAt.toISOString(),
});
