import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { invalidField } from '../../infra/contract/invalid-request.ts';

/** Seconds for which a browser goes on asking for HTTPS only. */
const hstsSeconds = 365 * 86_400;

/** Headers of the usual proxies, in any of their configurations. */
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

/** A proxy passed the request on. */
export const isForwarded = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  forwarding.some((name) => headers[name] !== undefined);

/** A program of this machine that speaks for itself: nothing crossed a network. */
const isLocal = (request: FastifyRequest): boolean => isLoopback(request.socket.remoteAddress) && !isForwarded(request);

const refusal = ({ headers, url }: FastifyRequest): Error =>
  invalidField(
    'scheme',
    'This service answers over HTTPS only, and the request came over plain HTTP' +
      (headers['x-forwarded-proto'] === undefined ? ' (no trusted proxy said X-Forwarded-Proto: https)' : '') +
      '. A key that was sent with it may have been read on the way: replace it.',
    [`https://${headers.host?.slice(0, 200) ?? '<host>'}${url.slice(0, 200)}`],
  );

/**
 * Tells callers over HTTPS to stay there (Strict-Transport-Security). Where `required`, a request that came neither
 * over TLS, nor by the word of a trusted proxy over HTTPS, nor from this machine, is refused before its key is read.
 */
export function requireHttps(scope: FastifyInstance, required: boolean): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${hstsSeconds}`);
    else if (required && !isLocal(request)) throw refusal(request);
  });
}
