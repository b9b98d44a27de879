import { createServer, type AddressInfo } from 'node:net';

const usualHost = '127.0.0.1';

/**
 * A free port of this machine: `wanted` if it is free, else any. Two lines of `node:net` do it, so that no library is
 * needed.
 */
export async function freePort(wanted = 0, host = usualHost): Promise<number> {
  if (wanted === 0) return await listenOnce(0, host);
  return await listenOnce(wanted, host).catch(() => listenOnce(0, host));
}

export async function isFree(port: number): Promise<boolean> {
  return await listenOnce(port, usualHost).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}
