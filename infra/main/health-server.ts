import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from '../observe/readiness.ts';
import { ConfigError } from '../drivers/config.ts';
import type { Part } from './stops.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
}

const json = 'application/json; charset=utf-8';

/** What a worker says of itself over HTTP: `/healthz` while its process lives, `/readyz` while it takes work. */
export async function startHealthServer(
  { host, port }: { readonly host: string; readonly port: number },
  { readiness }: { readonly readiness: Readiness },
): Promise<Part & { readonly url: string }> {
  const pages: Readonly<Record<string, () => Reply>> = {
    '/healthz': () => ({ status: 200, body: '{"status":"ok"}' }),
    '/readyz': () => readiness.answer,
  };
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    const { status, body } = page?.() ?? { status: 404, body: '{"code":"NOT_FOUND"}' };
    response.writeHead(status, { 'content-type': json, 'cache-control': 'no-store' }).end(body);
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
