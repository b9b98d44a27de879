import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionDays } from '../../../infra/records/accounts/sessions.ts';

/** Over HTTPS the browser checks that this host set the cookie over HTTPS (`__Host-`, RFC 6265bis). */
const nameFor = ({ protocol }: Pick<FastifyRequest, 'protocol'>): string =>
  protocol === 'https' ? '__Host-eeg_session' : 'eeg_session';

const tokenFormat = /^[A-Za-z0-9_-]{43}$/;

/** The session token that the browser sent; null if there is none or it is not valid. */
export function readCookie(request: FastifyRequest): string | null {
  const token = request.cookies[nameFor(request)] ?? '';
  return tokenFormat.test(token) ? token : null;
}

/** Stores a session token in the browser. Scripts and requests from other sites cannot use it. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  days: number = sessionDays.longest,
) {
  const secure = request.protocol === 'https';
  reply.setCookie(nameFor(request), token, {
    maxAge: days * 86_400,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure,
  });
}

export const clearCookie = (request: FastifyRequest, reply: FastifyReply): void => setCookie(request, reply, '', 0);
