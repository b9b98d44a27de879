import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../infra/drivers/config.ts';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { findTemporalCli } from '../../infra/embedded/temporal-cli.ts';
import { startTemporalServer } from '../../infra/embedded/temporal.ts';

/**
 * Starts Postgres and Temporal once for all files of the project `stack`; they read TEST_PG_URL and
 * TEST_TEMPORAL_ADDRESS.
 */
export default async function setup(): Promise<() => Promise<void>> {
  // A run that a test starts (the recipes) uses the servers of the run around it.
  if (process.env.TEST_PG_URL && process.env.TEST_TEMPORAL_ADDRESS) return async () => undefined;
  const config = loadConfig();
  const folder = await mkdtemp(join(tmpdir(), 'eeg-test-'));
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  let said = 0;
  const progress = {
    line: say,
    status: (text: string) => {
      if (performance.now() - said < 15_000) return;
      said = performance.now();
      say(text);
    },
  };
  const cli = await findTemporalCli({
    given: config.temporalCli,
    path: config.path,
    cacheDir: config.cacheDir,
    progress,
  });
  const [postgres, temporal] = await Promise.all([
    startEmbeddedPostgres({
      dir: join(folder, 'postgres'),
      settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
    }),
    startTemporalServer({ cli, dir: join(folder, 'temporal'), keep: false, namespace: 'default' }),
  ]);
  // Programs and threads that tests start compile their modules once.
  process.env.NODE_COMPILE_CACHE ??= join(config.cacheDir, 'compiled');
  process.env.TEST_PG_URL = postgres.url;
  process.env.TEST_TEMPORAL_ADDRESS = temporal.address;
  process.env.TEMPORAL_CLI = cli;
  return async () => {
    await Promise.all([postgres.stop(), temporal.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
}
