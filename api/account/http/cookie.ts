import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionDays } from '../../../infra/records/accounts/index.ts';

/** Over HTTPS the browser itself makes sure that the cookie came from this host over HTTPS (`__Host-`, RFC 6265bis). */
const nameFor = ({ protocol }: Pick<FastifyRequest, 'protocol'>): string =>
  protocol === 'https' ? '__Host-eeg_session' : 'eeg_session';

const attributes = (request: FastifyRequest): string =>
  `; Path=/; HttpOnly; SameSite=Strict${request.protocol === 'https' ? '; Secure' : ''}`;

const tokenFormat = /^[A-Za-z0-9_-]{43}$/;

/** The session token that the browser sent; null where it sent none, or what is none. */
export function readCookie(request: FastifyRequest): string | null {
  const start = `${nameFor(request)}=`;
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start));
  const token = found?.slice(start.length) ?? '';
  return tokenFormat.test(token) ? token : null;
}

/** Has the browser keep the session's token, out of reach of scripts and of requests from other sites. */
export function setCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const seconds = sessionDays.longest * 86_400;
  reply.header('set-cookie', `${nameFor(request)}=${token}; Max-Age=${seconds}${attributes(request)}`);
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', `${nameFor(request)}=; Max-Age=0${attributes(request)}`);
}
