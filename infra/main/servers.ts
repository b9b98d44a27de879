import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, type Config } from '../drivers/config.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import type { Progress } from '../embedded/progress.ts';
import { findTemporalCli } from '../embedded/temporal-cli.ts';
import { startTemporalServer, type TemporalServer as EmbeddedTemporal } from '../embedded/temporal.ts';
import { startTemporalUi } from '../embedded/temporal-ui.ts';
import type { TemporalServer } from '../drivers/temporal/client.ts';
import { createObjectStore, type ObjectStore } from '../drivers/objects/object-store.ts';
import { loadSecrets, type Secrets } from '../drivers/secrets.ts';
import { settleAll } from '../drivers/settle-all.ts';
import { keepRunning } from '../embedded/keep-running.ts';
import { claimDataDir, findStackOrClaim, removeStackFile, writeStackFile } from './stack-file.ts';

/** Addresses at which the processes of the service find one another. */
export interface Addresses {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly objectStoreUrl: string;
  readonly secrets: Secrets;
}

/** The Temporal server of `addresses`, with this environment's connection options. */
export const temporalServerOf = (
  { temporalNamespace: namespace, temporalSecurity: security }: Config,
  { temporalAddress: address, secrets }: Pick<Addresses, 'temporalAddress' | 'secrets'>,
): TemporalServer => ({ address, namespace, security, keys: secrets.dataEncryptionKeys });

/** Servers of a process: started here, or named by the environment. */
export interface Servers extends Addresses {
  readonly uiUrl: string | null;
  /** Publishes the API's address to other processes of this DATA_DIR. */
  announce(what: string, apiUrl: string): Promise<void>;
  /** Stops the servers that were started here. The data stays. */
  stop(): Promise<void>;
}

function objectStoreUrlOf(config: Config): string {
  if (config.objectStoreUrl === null && config.databaseUrl !== null)
    throw new ConfigError([
      'OBJECT_STORE_URL must be set when DATABASE_URL is set, for example to file:/srv/eeg/objects. Every process of the ' +
        'service needs the same store, and objects without a row in the database are removed.',
    ]);
  return config.objectStoreUrl ?? pathToFileURL(join(config.dataDir, 'objects')).href;
}

/** The object store for a command. */
export async function openObjects(config: Config): Promise<ObjectStore> {
  return createObjectStore({ url: objectStoreUrlOf(config), keys: (await loadSecrets(config)).dataEncryptionKeys });
}

/**
 * Starts the servers that the environment does not name: Postgres unless DATABASE_URL is set, Temporal unless
 * TEMPORAL_ADDRESS is set.
 */
export async function startServers(config: Config, progress: Progress): Promise<Servers> {
  const secrets = await loadSecrets(config);
  const objectStoreUrl = objectStoreUrlOf(config);
  const embedded = config.databaseUrl === null || config.temporalAddress === null;
  const lock = embedded ? await claimDataDir(config) : null;
  const log = (line: string): void => progress.line(line);
  const started: { stop(): Promise<void> }[] = [];
  const keep = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const part = await starting;
    started.push(part);
    return part;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((part) => part.stop()));
    if (lock) await removeStackFile(config);
    lock?.release();
  };
  try {
    const [postgres, temporal] = await settleAll([
      config.databaseUrl === null ? keep(startEmbeddedPostgres({ dir: join(config.dataDir, 'postgres'), log })) : null,
      config.temporalAddress === null ? keep(startTemporal(config, secrets, keep, progress)) : null,
    ]);
    const databaseUrl = config.databaseUrl ?? postgres!.url;
    const temporalAddress = config.temporalAddress ?? temporal!.first.address;
    return {
      databaseUrl,
      temporalAddress,
      secrets,
      stop,
      objectStoreUrl,
      uiUrl: temporal?.uiUrl ?? null,
      announce: async (what, apiUrl) => {
        if (lock) await writeStackFile(config, { pid: process.pid, what, databaseUrl, temporalAddress, apiUrl });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startTemporal(
  config: Config,
  { dataEncryptionKeys }: Secrets,
  keep: <T extends { stop(): Promise<void> }>(starting: Promise<T>) => Promise<T>,
  progress: Progress,
) {
  let server: { readonly current: EmbeddedTemporal } | null = null;
  const ui = await keep(
    startTemporalUi({
      port: config.temporalUiPort,
      keys: dataEncryptionKeys,
      upstream: () => server?.current.ui ?? null,
    }),
  );
  const cli = await findTemporalCli({
    given: config.temporalCli,
    path: config.path,
    cacheDir: config.cacheDir,
    progress,
  });
  const running = await keepRunning<EmbeddedTemporal>(
    'Temporal',
    (line) => progress.line(line),
    (before) =>
      startTemporalServer({
        cli,
        dir: join(config.dataDir, 'temporal'),
        keep: true,
        namespace: config.temporalNamespace,
        port: before?.port,
        ui,
        log: (line) => progress.line(line),
      }),
  );
  server = running;
  return { first: running.first, uiUrl: ui.url, stop: () => running.stop() };
}

/**
 * Servers for a single process (`npm run api`, `npm run worker`): those of the environment, or of the stack on
 * DATA_DIR.
 */
export async function findServers(config: Config): Promise<Addresses> {
  const secrets = await loadSecrets(config);
  const objectStoreUrl = objectStoreUrlOf(config);
  if (config.databaseUrl !== null && config.temporalAddress !== null) {
    return { databaseUrl: config.databaseUrl, temporalAddress: config.temporalAddress, objectStoreUrl, secrets };
  }
  const found = await findStackOrClaim(config);
  if ('lock' in found) {
    found.lock.release();
    throw new ConfigError([
      `Set DATABASE_URL and TEMPORAL_ADDRESS, or run \`npm start\` on ${config.dataDir} first: this process does ` +
        `not start servers of its own.`,
    ]);
  }
  const temporalAddress = config.temporalAddress ?? found.stack.temporalAddress;
  if (!temporalAddress) throw new ConfigError(['Set TEMPORAL_ADDRESS: no Temporal server runs on DATA_DIR.']);
  return { databaseUrl: config.databaseUrl ?? found.stack.databaseUrl, temporalAddress, objectStoreUrl, secrets };
}

/** The database of a command. */
interface DatabaseServer {
  readonly url: string;
  readonly temporalAddress: string | null;
  /** The command has locked DATA_DIR: no other process of the service runs on it. */
  readonly alone: boolean;
  stop(): Promise<void>;
}

/**
 * The database for a command: DATABASE_URL, that of the stack on DATA_DIR, or the embedded one, which runs as long as
 * the command.
 */
export async function openDatabaseServer(config: Config): Promise<DatabaseServer> {
  const nothing = async (): Promise<void> => undefined;
  if (config.databaseUrl !== null)
    return { url: config.databaseUrl, temporalAddress: config.temporalAddress, alone: false, stop: nothing };
  const found = await findStackOrClaim(config);
  if ('stack' in found)
    return {
      url: found.stack.databaseUrl,
      temporalAddress: config.temporalAddress ?? found.stack.temporalAddress,
      alone: false,
      stop: nothing,
    };
  const postgres = await startEmbeddedPostgres({ dir: join(config.dataDir, 'postgres') }).catch((error: unknown) => {
    found.lock.release();
    throw error;
  });
  return {
    url: postgres.url,
    temporalAddress: config.temporalAddress,
    alone: true,
    async stop() {
      await postgres.stop();
      found.lock.release();
    },
  };
}
