import { formatUsd } from '../../contract/prices.ts';
import { emailOf, findAccount, isEmail, type Account } from '../../records/accounts/accounts.ts';
import { endSessions } from '../../records/accounts/sessions.ts';
import { linkPaths, makeInvitation, makeLink } from '../../records/accounts/links.ts';
import { readSignUpPolicy } from '../../records/accounts/sign-up.ts';
import type { AdminContext, Command } from './command.ts';
import { AdminError, optional, required, usd, type Options } from './options.ts';

const account = { account: { type: 'string' }, email: { type: 'string' } } as const;
const base = { 'base-url': { type: 'string' } } as const;

/** The open account that --account or --email names. */
async function accountOf({ pool }: AdminContext, o: Options): Promise<Account> {
  const email = optional(o, 'email');
  const found = await findAccount(pool, email === undefined ? { id: required(o, 'account') } : { email });
  if (!found || found.closedAt) throw new AdminError(`There is no account ${email ?? optional(o, 'account')}.`);
  return found;
}

/** Address of an account page, if the service's public address is given. */
function pageAt(o: Options, path: string): { path: string; url?: string } {
  const address = optional(o, 'base-url');
  if (address === undefined) return { path };
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new AdminError('--base-url is the address of the service, such as https://eeg.example.org.');
  return { path, url: `${url.href.replace(/\/+$/, '')}${path}` };
}

/** Commands that make one-time links for a browser. */
export const linkCommands: Readonly<Record<string, Command>> = {
  'account reset-link': {
    usage: '--account ID | --email E [--base-url URL]   (sets a new password; works once, for 24 hours)',
    options: { ...account, ...base },
    async run(context, o) {
      pageAt(o, '');
      const { id, email } = await accountOf(context, o);
      const { token, expiresAt } = await makeLink(context.pool, 'reset', id);
      return { account_id: id, email, ...pageAt(o, linkPaths.reset(token)), expires_at: expiresAt.toISOString() };
    },
  },
  'account invite': {
    usage: '[--email E] [--usd AMOUNT] [--base-url URL]   (one sign-up within 7 days, for E alone; AMOUNT is credit)',
    options: { email: { type: 'string' }, usd: { type: 'string' }, ...base },
    async run({ pool }, o) {
      pageAt(o, '');
      const given = optional(o, 'email');
      const email = given === undefined ? null : emailOf(given);
      if (email !== null && !isEmail(email)) throw new AdminError(`--email "${email}" is not an e-mail address.`);
      if (email !== null && (await findAccount(pool, { email })))
        throw new AdminError(`There is already an account for ${email}.`);
      const microUsd = usd(o, 'usd') ?? null;
      if (microUsd !== null && microUsd <= 0n) throw new AdminError('--usd must be more than zero.');
      const { token, expiresAt } = await makeInvitation(pool, { email, microUsd });
      return {
        email,
        credit_usd: microUsd === null ? null : formatUsd(microUsd),
        ...pageAt(o, linkPaths.invitation(token)),
        expires_at: expiresAt.toISOString(),
        sign_up: (await readSignUpPolicy(pool)).mode,
      };
    },
  },
  'account sessions end': {
    usage: '--account ID | --email E   (signs the account out everywhere)',
    options: account,
    async run(context, o) {
      const { id } = await accountOf(context, o);
      return { account_id: id, sessions_ended: await endSessions(context.pool, id) };
    },
  },
};
