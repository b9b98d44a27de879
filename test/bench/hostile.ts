import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { startService } from '../support/hostile-service.ts';
import { percentile } from '../support/large-bodies.ts';
import { keepPredicting, predictOnce, startLoadProcess } from '../support/quiet-caller.ts';
import { publish, table } from './tables.ts';

const seconds = 60;

/**
 * How long one account waits for small predictions of an API process of its own, alone and while two others send it
 * whatever is costly. Goal: 99 of 100 within 100 ms.
 */
export async function hostile(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'eeg-bench-'));
  const postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres') });
  process.env['TEST_PG_URL'] = postgres.url;
  const service = await startService();
  try {
    for (let warm = 0; warm < 50; warm++) await predictOnce(service, service.quiet);
    const measure = async (name: string): Promise<(string | number)[]> => {
      let done = false;
      await service.slowness();
      const predicting = keepPredicting(service, service.quiet, () => done);
      await sleep(seconds * 1_000);
      done = true;
      const times = await predicting;
      const { most } = await service.memory();
      return [
        name,
        times.length,
        ...[50, 90, 99, 100].map((p) => percentile(times, p)),
        most / 2 ** 20,
        await service.slowness(),
      ];
    };
    const alone = await measure('alone');
    const load = await startLoadProcess(service, 60_000_000);
    const beside = await measure('beside the load');
    await load.stop();
    const head = ['', 'predictions', 'p50 ms', 'p90 ms', 'p99 ms', 'longest ms', 'resident MiB at most', 'slowness'];
    publish(
      'hostile.md',
      [
        '# One account beside a hostile load',
        '',
        `Predictions of 12 trials of 3 channels over HTTP, ten a second for ${seconds} s, on an API process of its own. The load: two`,
        'accounts with 8 bodies of 60 MB in flight that are costly to read, uploads that end in the middle or hardly move, answers of',
        'megabytes that nobody reads. Slowness: how much longer than on a free machine the main thread took for its work.',
        '',
        table(head, [alone, beside], 1),
      ].join('\n'),
    );
  } finally {
    await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
