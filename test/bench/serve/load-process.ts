import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import type { Done, HttpRequest, Job } from './messages.ts';

/** The process that makes the load of `load.ts`: one job at a time, told and answered by messages. */

interface Tally {
  readonly times: number[];
  failures: number;
  failure: string;
}

const emptyLine = Buffer.from('\r\n\r\n');

/** Sends a request and reads its answer to the end, on a connection that is kept. */
function exchange(socket: Socket, { head, body }: HttpRequest): Promise<{ status: number; text: () => string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let expected = Infinity;
    let status = 0;
    const end = (error: Error | null): void => {
      socket.off('data', onData).off('error', end).off('close', onClose);
      if (error) reject(error);
      else resolve({ status, text: () => Buffer.concat(chunks).toString() });
    };
    const onClose = (): void => end(new Error('The connection was closed.'));
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      received += chunk.length;
      if (expected === Infinity) {
        const start = chunks.length === 1 ? chunk : Buffer.concat(chunks);
        const headEnd = start.indexOf(emptyLine);
        if (headEnd < 0) return;
        const lines = start.toString('latin1', 0, headEnd);
        status = Number(lines.slice(9, 12));
        const length = /\r\ncontent-length: (\d+)/i.exec(lines);
        if (!length) return end(new Error(`The answer has no Content-Length: ${lines}`));
        expected = headEnd + emptyLine.length + Number(length[1]);
      }
      if (received >= expected) end(null);
    };
    socket.on('data', onData).on('error', end).on('close', onClose);
    socket.cork();
    socket.write(head, 'latin1');
    if (body.length > 0) socket.write(body);
    socket.uncork();
  });
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });

async function http({ port, requests, connections, milliseconds }: Extract<Job, { kind: 'http' }>, tally: Tally) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));
  const until = performance.now() + milliseconds;
  let next = 0;
  await Promise.all(
    sockets.map(async (socket) => {
      while (performance.now() < until) {
        const started = performance.now();
        const { status, text } = await exchange(socket, requests[next++ % requests.length]);
        tally.times.push(performance.now() - started);
        if (status < 300) continue;
        tally.failures++;
        tally.failure ||= text().slice(0, 1_000);
      }
    }),
  );
  for (const socket of sockets) socket.destroy();
}

async function postgres({ url, rows, connections, milliseconds }: Extract<Job, { kind: 'postgres' }>, tally: Tally) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(url);
      await client.connect();
      return client;
    }),
  );
  const until = performance.now() + milliseconds;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const row = 1 + Math.floor(Math.random() * rows);
        const started = performance.now();
        await client.query('BEGIN');
        await client.query({
          name: 'update',
          text: 'UPDATE bench_accounts SET balance = balance + $1 WHERE id = $2',
          values: [1, row],
        });
        await client.query({ name: 'select', text: 'SELECT balance FROM bench_accounts WHERE id = $1', values: [row] });
        await client.query({
          name: 'insert',
          text: 'INSERT INTO bench_history (account, delta, at) VALUES ($1, $2, now())',
          values: [row, 1],
        });
        await client.query('COMMIT');
        tally.times.push(performance.now() - started);
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
}

process.on('message', (job: Job) => {
  const tally: Tally = { times: [], failures: 0, failure: '' };
  const started = performance.now();
  const before = process.cpuUsage();
  void (job.kind === 'http' ? http(job, tally) : postgres(job, tally)).then(
    () => {
      const { user, system } = process.cpuUsage(before);
      process.send!({
        ...tally,
        times: Float64Array.from(tally.times),
        seconds: (performance.now() - started) / 1000,
        clientMs: (user + system) / 1000,
      } satisfies Done);
    },
    (error: Error) => process.send!({ error: error.message }),
  );
});
