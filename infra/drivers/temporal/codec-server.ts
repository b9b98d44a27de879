import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec.ts';

/** Payloads as Temporal's web interface and command send them: metadata and data in base64. */
interface SentPayload {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly data?: string;
}

export interface CodecServer {
  /** With the secret in its path: whoever knows it can read what Temporal stores. */
  readonly url: string;
  stop(): Promise<void>;
}

const mostBytes = 16 * 1024 * 1024;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string | undefined): Uint8Array => Buffer.from(text ?? '', 'base64');
const valuesOf = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/**
 * Decrypts payloads for an operator's Temporal interface (`POST <url>/decode`, Temporal's remote codec). It listens on
 * this machine only, and answers only under a path that holds 256 random bits, new with every start.
 */
export async function startCodecServer(keys: readonly Uint8Array[]): Promise<CodecServer> {
  const codec = createPayloadCodec(keys);
  const path = Buffer.from(`/${randomBytes(32).toString('base64url')}/decode`);
  const server = createServer((request, response) => {
    const asked = Buffer.from(request.url ?? '');
    const known = asked.length === path.length && timingSafeEqual(asked, path);
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*, authorization, content-type, x-namespace',
        'cache-control': 'no-store',
        'content-type': 'application/json',
      });
      response.end(body && JSON.stringify(body));
    };
    if (!known) return answer(404);
    if (request.method === 'OPTIONS') return answer(204);
    if (request.method !== 'POST') return answer(405);
    void decoded(request, codec).then(
      (payloads) => answer(200, { payloads }),
      () => answer(400),
    );
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
      // What this process holds no key for stays as it is, and its neighbours are read.
      const [plain] = await codec.decode([payload]).catch(() => [payload]);
      return { metadata: valuesOf(plain.metadata ?? {}, base64), data: base64(plain.data ?? new Uint8Array(0)) };
    }),
  );
}
