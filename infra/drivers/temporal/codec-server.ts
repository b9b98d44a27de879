import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { isLoopbackHost } from '../../observe/access.ts';
import { createPayloadCodec } from './payload-codec.ts';

/** Payloads as Temporal's web interface and command send them: metadata and data in base64. */
interface SentPayload {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly data?: string;
}

export interface CodecServer {
  /** Holds the secret in its path. A caller that knows it can read the payloads that Temporal stores. */
  readonly url: string;
  stop(): Promise<void>;
}

const mostBytes = 16 * 1024 * 1024;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string | undefined): Uint8Array => Buffer.from(text ?? '', 'base64');
const valuesOf = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/**
 * Whether a request may get decrypted payloads: its Host is this machine, and its Origin one of `origins`. Only
 * programs that are not browsers may omit the Origin: a browser sends it with every POST.
 */
function mayDecode({ headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (!isLoopbackHost(headers.host)) return false;
  return headers.origin === undefined
    ? headers['sec-fetch-site'] === undefined
    : origins.includes(headers.origin.toLowerCase());
}

/**
 * Answers a request of Temporal's remote codec (`POST …/decode`) with the decrypted payloads. Responds 403 to requests
 * that `mayDecode` refuses; the caller checks the path.
 */
export type AnswerCodec = (request: IncomingMessage, response: ServerResponse, origins: readonly string[]) => void;

/** The remote codec for keys of objects, the newest first. */
export function createCodecAnswers(keys: readonly Uint8Array[]): AnswerCodec {
  const codec = createPayloadCodec(keys);
  return (request, response, origins) => {
    const { origin } = request.headers;
    const isAllowed = mayDecode(request, origins);
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, {
        ...(isAllowed && origin !== undefined ? { 'access-control-allow-origin': origin } : {}),
        'access-control-allow-headers': 'authorization, content-type, x-namespace',
        'cache-control': 'no-store',
        'content-type': 'application/json',
        vary: 'Origin',
      });
      response.end(body && JSON.stringify(body));
    };
    if (!isAllowed) return answer(403);
    if (request.method === 'OPTIONS') return answer(204);
    if (request.method !== 'POST') return answer(405);
    void decoded(request, codec).then(
      (payloads) => answer(200, { payloads }),
      () => answer(400),
    );
  };
}

/**
 * Decrypts payloads for an operator's Temporal interface or command (`POST <url>/decode`). It listens on this machine
 * only. Its path contains 256 random bits, new at every start. In browsers only pages of `origins` get answers.
 */
export async function startCodecServer(keys: readonly Uint8Array[], origins: readonly string[]): Promise<CodecServer> {
  const answer = createCodecAnswers(keys);
  const path = Buffer.from(`/${randomBytes(32).toString('base64url')}/decode`);
  const server = createServer((request, response) => {
    const asked = Buffer.from(request.url ?? '');
    if (asked.length === path.length && timingSafeEqual(asked, path)) return answer(request, response, origins);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path.toString().slice(0, -'/decode'.length)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function decoded(request: IncomingMessage, codec: PayloadCodec): Promise<SentPayload[]> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw new RangeError(`More than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  const { payloads = [] } = JSON.parse(Buffer.concat(chunks).toString()) as { payloads?: SentPayload[] };
  return await Promise.all(
    payloads.map(async ({ metadata = {}, data }) => {
      const payload: Payload = { metadata: valuesOf(metadata, bytesOf), data: bytesOf(data) };
      // A payload without a matching key stays encrypted; the others are decrypted.
      const [plain] = await codec.decode([payload]).catch(() => [payload]);
      return { metadata: valuesOf(plain.metadata ?? {}, base64), data: base64(plain.data ?? new Uint8Array(0)) };
    }),
  );
}
