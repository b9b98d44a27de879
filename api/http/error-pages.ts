import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { secureAddressOf } from './require-https.ts';

/** The weight that an `Accept` header gives a media type; 0: not accepted. Wildcards do not count as a wish for it. */
function weightOf(accept: string, type: string): number {
  const weights = accept.split(',').flatMap((part) => {
    const [name, ...parameters] = part.trim().toLowerCase().split(';');
    if (name.trim() !== type) return [];
    const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined);
    return [weight === undefined ? 1 : Number(weight)];
  });
  return Math.max(0, ...weights);
}

/** Whether a browser asks for a page. Clients of the interface send a key, or ask for JSON or for anything. */
export function asksForPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false;
  const accept = headers.accept ?? '';
  const html = weightOf(accept, 'text/html');
  return html > 0 && html > weightOf(accept, 'application/json');
}

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/** The parts of an error that its page shows. */
export interface PageOfError {
  readonly status: number;
  readonly requestId: string;
  readonly retryAfter: number | null;
  readonly isShared: boolean;
  readonly secureAddress: string | null;
}

type ErrorPage = (error: PageOfError) => string;

/** Sends the page of an error outside the hooks. */
export const sendErrorPage = (status: number, request: FastifyRequest, reply: FastifyReply, page: ErrorPage): void =>
  void reply.code(status).send(asErrorPage(request, reply, page));

/** The page of an error whose status and headers are set, with the headers that it needs. */
function asErrorPage(request: FastifyRequest, reply: FastifyReply, page: ErrorPage): string {
  const retryAfter = Number(reply.getHeader('retry-after'));
  reply.headers(headers).type('text/html; charset=utf-8');
  return page({
    status: reply.statusCode,
    requestId: request.id,
    retryAfter: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    isShared: request.url.startsWith('/shared/'),
    secureAddress: secureAddressOf(request),
  });
}

/** Answers an error of any route as a page, if a browser asks for a page. Other clients get the error object. */
export function showErrorsAsPages(app: FastifyInstance, page: ErrorPage): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode < 400) return payload;
    reply.header('vary', 'accept');
    return asksForPage(request) ? asErrorPage(request, reply, page) : payload;
  });
}
