import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { msToTs } from '@temporalio/common/lib/time.js';
import { Connection } from '@temporalio/client';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { runTool } from '../support/fetched-tool.ts';
import { lastingPort } from './lasting-port.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';

export const namespace = 'drill';
/** The settings that compose.yaml gives to its server. */
const dynamic = fileURLToPath(new URL('../../infra/deploy/compose/temporal-dynamic.yaml', import.meta.url));

export interface TemporalCluster extends ServerProcess {
  readonly address: string;
}

/**
 * Starts a Temporal server with all its services, which keeps everything in the databases `temporal` and
 * `temporal_visibility` of the Postgres server. Creates the databases and the namespace if they are missing.
 */
export async function startTemporalCluster(programs: string, dir: string, postgres: URL): Promise<TemporalCluster> {
  await mkdir(join(dir, 'config'), { recursive: true });
  await cp(dynamic, join(dir, 'dynamic.yaml'));
  await makeSchema(programs, postgres);
  const ports: number[] = [];
  while (ports.length < 8) ports.push(await lastingPort());
  const address = `127.0.0.1:${ports[0]}`;
  await writeFile(join(dir, 'config', 'drill.yaml'), configOf(dir, postgres, ports));
  const command = [join(programs, 'server'), '--root', dir, '--config', 'config', '--env', 'drill', 'start'];
  const server = serverProcess(
    'Temporal',
    join(dir, 'temporal.log'),
    command,
    { env: childEnvironment({ TEMPORAL_ADDRESS: undefined }), cwd: dir },
    () => hasNamespace(address),
  );
  await server.start();
  return { ...server, address };
}

async function makeSchema(programs: string, postgres: URL): Promise<void> {
  const env = {
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: postgres.hostname,
    SQL_PORT: postgres.port,
    SQL_USER: postgres.username,
    SQL_PASSWORD: postgres.password,
  };
  const make = async (database: string, kind: string): Promise<void> => {
    const tool = (...args: string[]): Promise<string> =>
      runTool(join(programs, 'sql'), ['--database', database, ...args], { env });
    await tool('create-database');
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-dir', join(programs, 'schema', kind, 'versioned'));
  };
  await Promise.all([make('temporal', 'temporal'), make('temporal_visibility', 'visibility')]);
}

/** Registers the namespace where it is missing; false while the server does not take its requests. */
async function hasNamespace(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address });
  try {
    return await connection.withDeadline(Date.now() + 3_000, async () => {
      const service = connection.workflowService;
      await service.describeNamespace({ namespace }).catch(async () => {
        await service.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
      });
      await service.listOpenWorkflowExecutions({ namespace, maximumPageSize: 1 });
      return true;
    });
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function configOf(dir: string, postgres: URL, ports: readonly number[]): string {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${postgres.hostname}:${postgres.port}`,
      connectProtocol: 'tcp',
      user: postgres.username,
      password: postgres.password,
      maxConns,
      maxIdleConns: maxConns,
    },
  });
  const service = (at: number) => ({
    rpc: { grpcPort: ports[at], membershipPort: ports[at + 1], bindOnLocalHost: true },
  });
  const config = {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: 16,
      datastores: { main: store('temporal', 20), visibility: store('temporal_visibility', 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: { frontend: service(0), matching: service(2), history: service(4), worker: service(6) },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports[0]}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(dir, 'dynamic.yaml'), pollInterval: '10s' },
  };
  // YAML includes JSON.
  return JSON.stringify(config, null, 2);
}
