import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { invalidField } from '../../infra/contract/invalid-request.ts';

/** Browsers use only HTTPS for this many seconds. */
const hstsSeconds = 365 * 86_400;

/** Headers of common proxies in all their configurations. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Whether a proxy forwarded the request. */
export const isForwarded = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  forwarding.some((name) => headers[name] !== undefined);

/** Whether a program on this machine sent the request itself, so that it crossed no network. */
const isLocal = (request: FastifyRequest): boolean => isLoopback(request.socket.remoteAddress) && !isForwarded(request);

const secureUrl = ({ headers, url }: FastifyRequest): string =>
  `https://${headers.host?.slice(0, 200) ?? '<host>'}${url.slice(0, 200)}`;

const refused = new WeakSet<FastifyRequest>();

/**
 * The address to use instead of that of a request that was refused because it came over plain HTTP; null: it was not.
 */
export const secureAddressOf = (request: FastifyRequest): string | null =>
  refused.has(request) ? secureUrl(request) : null;

const refusal = (request: FastifyRequest): Error =>
  invalidField(
    'scheme',
    'This service answers over HTTPS only, and the request came over plain HTTP' +
      (request.headers['x-forwarded-proto'] === undefined ? ' (no trusted proxy said X-Forwarded-Proto: https)' : '') +
      '. A key that was sent with it may have been read on the way: replace it. Use ' +
      `${secureUrl(request)}.`,
  );

/**
 * Adds Strict-Transport-Security to answers over HTTPS. If `required`, a request must come over TLS, over HTTPS
 * according to a trusted proxy, or from this machine. Others are rejected before their key is read. `open`: paths of
 * files that the page of this refusal loads.
 */
export function requireHttps(scope: FastifyInstance, required: boolean, open: readonly string[] = []): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${hstsSeconds}`);
    else if (required && !isLocal(request) && !open.includes(request.url)) {
      refused.add(request);
      throw refusal(request);
    }
  });
}
