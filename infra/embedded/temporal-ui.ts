import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../drivers/config.ts';
import { createCodecAnswers } from '../drivers/temporal/codec-server.ts';
import { isLoopbackHost } from '../observe/access.ts';

/** Address of Temporal's own web server. */
export interface UiAddress {
  readonly host: string;
  readonly port: number;
}

export interface TemporalUi {
  readonly url: string;
  /**
   * Address at which pages of the interface request decrypted payloads. It contains no secret: requests are checked by
   * Origin.
   */
  readonly codecUrl: string;
  stop(): Promise<void>;
}

interface UiOptions {
  /** Required port; null: 8233 or a free one. */
  readonly port: number | null;
  /** Encryption keys of payloads, the newest first. */
  readonly keys: readonly Uint8Array[];
  /** Current address of the interface; null: it does not run. */
  readonly upstream: () => UiAddress | null;
}

const usualPort = 8233;
const codecPath = '/payload-codec';

/**
 * The web interface of the embedded Temporal server, for browsers of this machine. Temporal's web server does not check
 * the Host, so this proxy is in front of it. The proxy refuses a Host that is not this machine and an Origin that is
 * not its own. It also decrypts payloads for pages of the interface.
 */
export async function startTemporalUi({ port: wanted, keys, upstream }: UiOptions): Promise<TemporalUi> {
  const answerCodec = createCodecAnswers(keys);
  const names = ['127.0.0.1', 'localhost'];
  const server = createServer((request, response) => {
    const origins = [...names.map((name) => `http://${name}:${port}`), `http://${request.headers.host ?? ''}`];
    if (request.url === `${codecPath}/decode`) return answerCodec(request, response, origins);
    const { host, origin } = request.headers;
    if (!isLoopbackHost(host) || (origin !== undefined && !origins.includes(origin)))
      return refuse(response, 403, `The Temporal interface answers at ${origins[0]} alone.`);
    const address = upstream();
    if (!address) return refuse(response, 502, 'The Temporal server does not run. It is started again.');
    forward(request, response, address);
  });
  const port = await listen(server, wanted ?? usualPort).catch(async (cause: unknown) => {
    if (!wanted) return await listen(server, 0);
    throw new ConfigError(
      [`TEMPORAL_UI_PORT is ${wanted}, but another program listens there. Choose another port, or leave it unset.`],
      { cause },
    );
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    codecUrl: url + codecPath,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${words}\n`);
}

function forward(request: IncomingMessage, response: ServerResponse, { host, port }: UiAddress): void {
  const { method, url: path, headers } = request;
  const passed = httpRequest({ host, port, method, path, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
    reply.once('error', () => response.destroy());
  });
  passed.once('error', () => {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, 'The Temporal interface does not answer.');
  });
  response.once('close', () => passed.destroy());
  request.pipe(passed);
}
