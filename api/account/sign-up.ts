import type { z } from 'zod';
import { ApiError, type FieldError } from '../../infra/contract/errors.ts';
import { invalidField, invalidRequest } from '../../infra/contract/invalid-request.ts';
import { terms } from '../../infra/contract/terms.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { AccountError } from '../../infra/records/accounts/account-error.ts';
import { createAccount, isEmail } from '../../infra/records/accounts/accounts.ts';
import { hashPassword, passwordFault } from '../../infra/records/accounts/password.ts';
import { readSignUpPolicy, wasClosed } from '../../infra/records/accounts/sign-up.ts';
import { countAttempt } from '../../infra/records/accounts/attempts.ts';
import { takeInvitation } from '../../infra/records/accounts/links.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import type { ApiDeps } from '../deps.ts';
import { networkAttempts, networkOf, refundIfFailed, requireAttempts } from './http/limited.ts';
import type { RouteInput } from './route.ts';
import type { signUp } from './contract/requests.ts';

type Wanted = z.output<typeof signUp>;

function faultsOf({ email, password, terms_version: version }: Wanted): FieldError[] {
  const faults: FieldError[] = [];
  if (!isEmail(email.trim())) faults.push({ field: 'email', message: 'email is not an e-mail address.' });
  const fault = passwordFault(password, email);
  if (fault !== null) faults.push({ field: 'password', message: fault });
  if (version !== undefined && version !== terms.version)
    faults.push({
      field: 'terms_version',
      message: `The terms of service are those of ${terms.version} now; read them again.`,
      alternatives: [terms.version],
    });
  return faults;
}

/** Rejects sign-ups that the operator's policy does not allow, before any other check. */
async function requireAllowed({ pool }: ApiDeps, invitation: string | undefined) {
  const policy = await readSignUpPolicy(pool);
  if (policy.mode === 'closed')
    throw new ApiError('SCOPE_MISSING', 'Sign-up is closed here; the operator makes accounts.', {
      advice: ['Ask the operator for an account.'],
    });
  if (policy.mode === 'invitation' && invitation === undefined)
    throw invalidField('invitation', 'Sign-up here is by invitation only; ask the operator for one.');
  return policy;
}

const noSuchInvitation = (): ApiError =>
  invalidField(
    'invitation',
    'The invitation was used already, has expired, or is for another e-mail address; ask the operator for a new one.',
  );

/** Does not reveal whether the address has an account. The owner of the address can sign in. */
const notWithThisAddress = (): ApiError =>
  invalidField('email', 'No account can be made with this e-mail address. If you have one with it, sign in.');

/** Whether open sign-ups of all networks have used up the free credit of this hour. */
const tooMany = async (sql: Sql): Promise<boolean> =>
  (await countAttempt(sql, { kind: 'free-credit', subject: 'open sign-ups' })) !== null;

/**
 * Creates an account under the operator's policy and returns its id. The invitation is used up in the same transaction.
 * An attempt of the caller's network is taken before any step that could reveal whether an address has an account.
 */
export async function signUpAccount(
  deps: ApiDeps,
  { body: wanted, request }: Pick<RouteInput<Wanted>, 'body' | 'request'>,
): Promise<string> {
  const { freeCredit } = await requireAllowed(deps, wanted.invitation);
  const faults = faultsOf(wanted);
  if (faults.length > 0) throw invalidRequest(faults);
  const attempts = networkAttempts(request, 'sign-up');
  await requireAttempts(deps.pool, attempts, 'sign-ups from this network');
  const passwordHash = await refundIfFailed(deps.pool, attempts, () =>
    hashPassword(wanted.password, wanted.email, networkOf(request)),
  );
  const at = new Date();
  return await transaction(deps.pool, async (sql) => {
    const { invitation, terms_version: version } = wanted;
    const email = wanted.email.trim();
    const invited = invitation === undefined ? null : await takeInvitation(sql, invitation, email);
    if (invitation !== undefined && invited === null) throw noSuchInvitation();
    const account = await createAccount(sql, {
      email,
      passwordHash,
      acceptTerms: version !== undefined,
      freeCredit:
        (await wasClosed(sql, email)) || (freeCredit === 'at-once' && !invited && (await tooMany(sql)))
          ? 'waits'
          : freeCredit,
      at,
    }).catch((error: unknown) => {
      throw error instanceof AccountError ? notWithThisAddress() : error;
    });
    if (invited?.microUsd != null)
      await credit(sql, {
        accountId: account.id,
        amount: invited.microUsd,
        source: 'operator',
        at,
        note: 'invitation',
      });
    return account.id;
  });
}
