import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { largeBody, percentile, upload } from '../support/large-bodies.ts';

const program = new URL('./health-process.ts', import.meta.url);

/** /healthz of an API process of its own while eight 64 MiB bodies arrive. Target: p99 under 50 ms. */
export async function health(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'eeg-bench-'));
  const postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres') });
  const child = fork(program, ['serve'], { env: { ...process.env, TEST_PG_URL: postgres.url } });
  try {
    const { address, key } = await new Promise<{ address: string; key: string }>((resolve) =>
      child.once('message', (message) => resolve(message as never)),
    );
    const poller = fork(program, ['poll', address]);
    const body = largeBody();
    for (let warm = 0; warm < 2; warm++) await upload(`${address}/v1/task-models`, key, body);
    child.send('begin');
    poller.send('start');
    const start = performance.now();
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload(`${address}/v1/task-models`, key, body)));
    const seconds = (performance.now() - start) / 1000;
    const times = await new Promise<number[]>((resolve) => {
      poller.once('message', (message) => resolve(message as number[]));
      poller.send('stop');
    });
    console.log(
      JSON.stringify({
        bodies: replies.map(({ status }) => status),
        mebibytes_each: body.length / 2 ** 20,
        seconds_for_all: Number(seconds.toFixed(2)),
        healthz_requests: times.length,
        healthz_ms: Object.fromEntries(
          [50, 90, 99, 100].map((p) => [`p${p}`, Number(percentile(times, p).toFixed(1))]),
        ),
      }),
    );
    const loop = new Promise((resolve) => child.once('message', resolve));
    child.send('stop');
    console.log(JSON.stringify({ event_loop_delay_ms: await loop }));
    await new Promise((resolve) => child.once('exit', resolve));
  } finally {
    child.kill();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
