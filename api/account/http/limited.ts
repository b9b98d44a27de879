import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ApiError } from '../../../infra/contract/errors.ts';
import { uncountAttempt, countAttempt, type Attempt } from '../../../infra/records/accounts/attempts.ts';
import type { Sql } from '../../../infra/drivers/postgres/transaction.ts';
import { clientAddress } from '../../http/client-address.ts';

/** The first `bytes` bytes of an IPv6 address; an IPv4 address unchanged. */
function startOf(request: FastifyRequest, bytes: number): string {
  const address = ipaddr.parse(clientAddress(request));
  return address.kind() === 'ipv6'
    ? Buffer.from(address.toByteArray().slice(0, bytes)).toString('hex')
    : address.toString();
}

/** The network of one customer: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const networkOf = (request: FastifyRequest): string => startOf(request, 8);

/** Counts attempts of the caller's network, and of the largest network that one customer may have (48 bits of IPv6). */
export const networkAttempts = (
  request: FastifyRequest,
  kind: 'sign-in' | 'sign-up' | 'link' | 'shared',
): Attempt[] => {
  const [network, site] = [networkOf(request), startOf(request, 6)];
  const own: Attempt = { kind: `${kind}-address`, subject: network };
  return site === network ? [own] : [own, { kind: `${kind}-site`, subject: site }];
};

/** Takes one attempt. If none is left, throws RATE_LIMITED with the wait and an alternative. */
export async function requireAttempt(
  sql: Sql,
  attempt: Attempt,
  what: string,
  help = 'Ask the operator for a link that signs in or sets a new password.',
): Promise<void> {
  const seconds = await countAttempt(sql, attempt);
  if (seconds === null) return;
  throw new ApiError('RATE_LIMITED', `Too many ${what}. Try again in ${seconds} s. ${help}`.trim(), {
    retryAfterSeconds: seconds,
  });
}

export async function requireAttempts(
  sql: Sql,
  attempts: readonly Attempt[],
  what: string,
  help?: string,
): Promise<void> {
  for (const attempt of attempts) await requireAttempt(sql, attempt, what, help);
}

/** Runs a function whose attempts were taken. Gives the attempts back if the function could not run. */
export async function refundIfFailed<T>(sql: Sql, attempts: readonly Attempt[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (const attempt of attempts) await uncountAttempt(sql, attempt);
    throw error;
  }
}
