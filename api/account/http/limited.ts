import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ApiError } from '../../../infra/contract/errors.ts';
import { takeAttempt, type Attempt } from '../../../infra/records/accounts/index.ts';
import type { ApiDeps } from '../../deps.ts';
import { clientAddress } from '../../http/client-address.ts';

/** What one customer of a network has by himself: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(request: FastifyRequest): string {
  const address = ipaddr.parse(clientAddress(request));
  return address.kind() === 'ipv6'
    ? address
        .toByteArray()
        .slice(0, 8)
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join('')
    : address.toString();
}

/** Takes one attempt; throws RATE_LIMITED with the wait where none is left. */
export async function takeOrRefuse({ pool }: Pick<ApiDeps, 'pool'>, attempt: Attempt, what: string): Promise<void> {
  const seconds = await takeAttempt(pool, attempt);
  if (seconds === null) return;
  throw new ApiError('RATE_LIMITED', `Too many ${what}. Try again in ${seconds} s, or ask the operator for a link.`, {
    alternatives: [`Wait ${seconds} s.`, 'Ask the operator for a link that signs in or sets a new password.'],
    retryAfterSeconds: seconds,
  });
}
