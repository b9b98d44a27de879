import { createServer, type AddressInfo } from 'node:net';

/**
 * A port of 127.0.0.1 that nobody listens on: `wanted` where it is free, else any. Two lines of `node:net` do it, so no
 * library is needed.
 */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted === 0) return await listenOnce(0);
  return await listenOnce(wanted).catch(() => listenOnce(0));
}

export async function isFree(port: number): Promise<boolean> {
  return await listenOnce(port).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}
