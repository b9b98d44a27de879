import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { bundlePages, type Asset, assetsPath, pagesPath } from './bundle.ts';
import { documentOf } from './document.ts';
import { encoded, preferredEncoding } from './encoded.ts';
import { sampleFiles } from './sample.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const unused = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb', 'serial'];

/** Headers of every page: it runs nothing from other sites, and other sites cannot frame it. */
const headers = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': unused.map((name) => `${name}=()`).join(', '),
};

async function sendEncoded(request: FastifyRequest, reply: FastifyReply, { type, body }: Asset): Promise<FastifyReply> {
  reply.type(type).header('vary', 'accept-encoding');
  const encoding = preferredEncoding(request.headers['accept-encoding'] ?? '');
  if (!encoding) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await encoded(body, encoding));
}

const unknown = ({ method, url }: FastifyRequest): ApiError =>
  new ApiError('NOT_FOUND', `There is no endpoint ${method} ${url.split('?')[0].slice(0, 200)}.`, {
    advice: ['See /docs/api for every endpoint.'],
  });

type Document = 'usual' | 'private';
const documents = new Map<Document, Promise<Asset>>();

/** The document of the pages; `private`: the one of shared reports. */
function documentAsset(kind: Document): Promise<Asset> {
  const known = documents.get(kind);
  if (known) return known;
  const made = bundlePages().then((bundle) => ({
    type: 'text/html; charset=utf-8',
    body: Buffer.from(documentOf(bundle, kind === 'private')),
  }));
  documents.set(kind, made);
  made.catch(() => documents.delete(kind));
  return made;
}

/** Throws the error to answer unless a link of this token works. */
export type RequireShared = (token: string, request: FastifyRequest) => Promise<void>;

/**
 * The account pages: one document for every path below `/dashboard` except `/dashboard/api`, and its files. The page of
 * a shared report is the same document, served while its link works. They are built when the process starts to listen,
 * or on the first request. A process that never listens does not build them.
 */
export function accountPages(scope: FastifyInstance, requireShared: RequireShared): void {
  // If this fails, the first request tries again and reports the error.
  scope.addHook('onListen', async () => void documentAsset('usual').catch(() => undefined));
  scope.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
  const document = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (/^\/dashboard\/(api|assets)(?![^/?])/.test(request.url)) throw unknown(request);
    reply.header('cache-control', 'no-cache');
    return await sendEncoded(request, reply, await documentAsset('usual'));
  };
  scope.get(pagesPath, document);
  scope.get(`${pagesPath}/*`, document);
  scope.get<{ Params: { token: string } }>('/shared/:token', async (request, reply) => {
    reply.headers({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' });
    await requireShared(request.params.token, request);
    return await sendEncoded(request, reply, await documentAsset('private'));
  });
  scope.get<{ Params: { name: string } }>(`${assetsPath}/:name`, async (request, reply) => {
    const asset = (await bundlePages()).assets.get(request.params.name);
    if (!asset) throw unknown(request);
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return await sendEncoded(request, reply, asset);
  });
  sampleFiles(scope);
}
