import type { FastifyInstance } from 'fastify';
import { send, type Reply } from './api.ts';

/** A browser for the dashboard's API: keeps the cookie, sends its origin and the CSRF token. */
export interface Browser {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Reply>;
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
  readonly send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
  /** `name=value`, or empty. */
  cookie: string;
  csrf: string;
}

export const origin = 'http://localhost:80';

/** Paths are below `/dashboard/api`. */
export function createBrowser(app: FastifyInstance, changes: Record<string, string> = {}): Browser {
  const browser: Browser = {
    cookie: '',
    csrf: '',
    get: (path, headers) => browser.send('GET', path, undefined, headers),
    post: (path, body = {}, headers) => browser.send('POST', path, body, headers),
    async send(method, path, body, headers = {}) {
      const reply = await send(app, null, method, `/dashboard/api${path}`, body, {
        ...(browser.cookie === '' ? {} : { cookie: browser.cookie }),
        ...(method === 'GET' ? {} : { origin, 'sec-fetch-site': 'same-origin', 'x-csrf-token': browser.csrf }),
        host: 'localhost:80',
        ...changes,
        ...headers,
      });
      const set = reply.headers['set-cookie'] as string | undefined;
      if (set !== undefined) browser.cookie = /Max-Age=0/.test(set) ? '' : set.split(';')[0]!;
      if (typeof reply.body?.csrf === 'string') browser.csrf = reply.body.csrf;
      return reply;
    },
  };
  return browser;
}
