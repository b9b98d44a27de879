import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { bundlePages, type Asset, assetsPath, pagesPath } from './bundle.ts';
import { documentOf } from './document.ts';
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

type Encode = (body: Uint8Array) => Promise<Uint8Array>;
const brotli: Encode = (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });

/** Encodings in order of preference. */
const encodings: readonly (readonly [name: string, encode: Encode])[] = [
  ['br', brotli],
  ['gzip', promisify<Uint8Array, Uint8Array>(gzip)],
];

const isAccepted = (name: string, accepted: string): boolean =>
  accepted.split(',').some((part) => {
    const [coding, ...parameters] = part.trim().toLowerCase().split(';');
    return coding.trim() === name && !parameters.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each));
  });

/** Encoded content, cached with the original content as its key. */
const encoded = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array>>>();

async function sendEncoded(request: FastifyRequest, reply: FastifyReply, { type, body }: Asset): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const found = encodings.find(([name]) => isAccepted(name, accepted));
  reply.type(type).header('vary', 'accept-encoding');
  if (!found) return reply.send(body);
  const [name, encode] = found;
  const kept = encoded.get(body) ?? new Map<string, Promise<Uint8Array>>();
  encoded.set(body, kept);
  if (!kept.has(name)) kept.set(name, encode(body));
  return reply.header('content-encoding', name).send(await kept.get(name));
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
  scope.get('/favicon.ico', async (request, reply) => {
    const { assets, icon } = await bundlePages();
    reply.header('cache-control', 'public, max-age=86400');
    return await sendEncoded(request, reply, assets.get(icon.slice(assetsPath.length + 1))!);
  });
}
