import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../infra/contract/errors.ts';
import type { ApiDeps } from '../../deps.ts';

/** This header is required in every request that changes data. */
const csrfHeader = 'x-csrf-token';

/** A token that only pages of this service can know: they read it in `me`, which other sites cannot read. */
export const csrfToken = ({ sessionSecret }: Pick<ApiDeps, 'sessionSecret'>, sessionToken: string): string =>
  createHmac('sha256', sessionSecret).update(`csrf\0${sessionToken}`).digest('base64url');

/** Methods that change nothing. They need no check of their origin. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
export const changes = ({ method }: Pick<FastifyRequest, 'method'>): boolean => !reading.has(method);

const refused = (message: string, field: string): ApiError =>
  new ApiError('SCOPE_MISSING', message, { field, advice: ['Reload the page and try again.'] });

/**
 * Rejects a request that changes data and that a browser sent from a page of a different site. `Sec-Fetch-Site` and
 * `Origin`, which scripts cannot set, must name this service or be absent.
 */
export function requireOwnOrigin({ headers, protocol, host, method }: FastifyRequest): void {
  if (!changes({ method })) return;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw refused('The request came from a page of another site; nothing was done.', 'Sec-Fetch-Site');
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `${protocol}://${host}`.toLowerCase())
    throw refused(
      'The request came from a page of another address than this service is reached at; nothing was done. (A proxy ' +
        'before the service has to pass Host and X-Forwarded-Proto on.)',
      'Origin',
    );
}

/** Rejects a request that changes data without the session's token in `x-csrf-token`. */
export function requireCsrfToken(deps: Pick<ApiDeps, 'sessionSecret'>, request: FastifyRequest, session: string): void {
  if (!changes(request)) return;
  const sent = Buffer.from(String(request.headers[csrfHeader] ?? ''));
  const expected = Buffer.from(csrfToken(deps, session));
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw refused('The request does not show that it comes from the account pages; nothing was done.', csrfHeader);
}
