import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTemporalClient } from '../../infra/drivers/temporal/client.ts';

/** A Temporal server that greets, and answers every other call with UNAVAILABLE, which clients try again. */
async function startBusyServer() {
  let calls = 0;
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const greets = String(headers[':path']).endsWith('/GetSystemInfo');
    calls += Number(!greets);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': greets ? '0' : '14' }));
    stream.end(greets ? Buffer.alloc(5) : undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, calls: () => calls, close: () => server.close() };
}

it('a call that waits for its retry ends when its connection is closed, and no timer throws', async () => {
  const server = await startBusyServer();
  const { client, close } = createTemporalClient({
    address: server.address,
    namespace: 'default',
    keys: [new Uint8Array(32)],
  });
  try {
    const call = client.workflow.getHandle('any').describe();
    const outcome = call.then(
      () => null,
      (error: Error & { code?: number; cause?: { code?: number } }) => error.cause?.code ?? error.code,
    );
    while (server.calls() === 0) await sleep(5);
    await close();
    expect(await outcome).toBe(1);
    await expect(client.workflow.getHandle('any').describe()).rejects.toThrow();
  } finally {
    server.close();
  }
});
