import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { exampleTrials } from '../docs/example-trials.ts';
import { landingPage } from '../docs/landing.ts';
import { openApiDocument } from '../docs/openapi.ts';
import { referencePage, referenceScript } from '../docs/api-reference.ts';
import { docsPages, icon, pageScript, renderOverview, renderPage, searchSections, styleSheet } from '../docs/site.ts';

interface Served {
  readonly type: string;
  readonly read: () => string | Promise<Buffer>;
  /** Content security policy of a page; absent: only the style sheet and the icon may be loaded. */
  readonly policy?: string;
  /** The body is gzipped. */
  readonly gzipped?: boolean;
}

const always = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const strict = `default-src 'none'; style-src 'self'; img-src 'self'; ${always}`;
/** The script of the pages reads the sections for the search. */
const ofPages = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; ${always}`;
/** Scalar writes its styles into the page and loads the interface description. */
const ofReference =
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  `connect-src 'self'; ${always}`;

const html = (read: () => string, policy?: string): Served => ({ type: 'text/html; charset=utf-8', read, policy });
const json = (read: () => unknown): Served => ({
  type: 'application/json; charset=utf-8',
  read: () => JSON.stringify(read()),
});

const served = (operations: readonly Operation[]): Readonly<Record<string, Served>> => ({
  '/': html(landingPage),
  '/openapi.json': json(() => openApiDocument(operations)),
  '/docs': html(renderOverview, ofPages),
  ...Object.fromEntries(docsPages.map((page) => [`/docs/${page.name}`, html(() => renderPage(page), ofPages)])),
  '/docs/page.js': { type: 'text/javascript; charset=utf-8', read: pageScript },
  '/docs/search.json': json(searchSections),
  '/docs/api': html(referencePage, ofReference),
  '/docs/api/scalar.js': { type: 'text/javascript; charset=utf-8', read: referenceScript, gzipped: true },
  '/docs/style.css': { type: 'text/css; charset=utf-8', read: () => styleSheet('style') },
  '/docs/reference.css': { type: 'text/css; charset=utf-8', read: () => styleSheet('api-reference') },
  '/docs/icon.svg': { type: 'image/svg+xml', read: icon },
  '/favicon.ico': { type: 'image/svg+xml', read: icon },
  ...Object.fromEntries(Object.entries(exampleTrials).map(([name, read]) => [`/docs/examples/${name}`, json(read)])),
});

function send(reply: FastifyReply, { type, policy, gzipped }: Served, body: string | Buffer): FastifyReply {
  if (gzipped) reply.header('content-encoding', 'gzip').header('cache-control', 'public, max-age=86400');
  return reply
    .type(type)
    .header('content-security-policy', policy ?? strict)
    .send(body);
}

/** The interface description, the documentation and `/`, each rendered on its first request. */
export function docsRoutes(scope: FastifyInstance, operations: readonly Operation[]): void {
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
  });
  for (const [url, page] of Object.entries(served(operations))) {
    let made: string | Promise<Buffer> | null = null;
    scope.get(url, async (_request, reply) => {
      made ??= page.read();
      try {
        return await send(reply, page, await made);
      } catch (error) {
        made = null;
        throw error;
      }
    });
  }
}
