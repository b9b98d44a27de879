import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mayReadMetrics, type MetricsAccess } from '../observe/access.ts';
import { exposition, expositionType } from '../observe/metrics.ts';
import type { Readiness } from '../observe/readiness.ts';
import { ConfigError, type Config } from '../drivers/config.ts';
import type { Part } from './stops.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

const json = 'application/json; charset=utf-8';
const unknown: Reply = { status: 404, body: '{"code":"NOT_FOUND"}' };

/**
 * HTTP server of a worker: `/healthz` while the process runs, `/readyz` while it takes work, and `/metrics` for this
 * machine and METRICS_ALLOW, under a Host that METRICS_HOSTS allows.
 */
export async function startHealthServer(
  { host, ...access }: Pick<Config, 'host'> & MetricsAccess,
  port: number,
  readiness: Pick<Readiness, 'answer'>,
): Promise<Part & { readonly url: string }> {
  const pages: Readonly<Record<string, (request: IncomingMessage) => Reply | Promise<Reply>>> = {
    '/healthz': () => ({ status: 200, body: '{"status":"ok"}' }),
    '/readyz': () => readiness.answer,
    '/metrics': async ({ socket, headers }) =>
      mayReadMetrics({ address: socket.remoteAddress, host: headers.host }, access)
        ? { status: 200, body: await exposition(), type: expositionType }
        : unknown,
  };
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    void (async () => {
      const { status, body, type = json } = page ? await page(request) : unknown;
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new ConfigError([`WORKER_HEALTH_PORT is ${port}, where nothing can listen: choose another.`], { cause })),
    );
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
