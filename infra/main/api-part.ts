import type { AddressInfo } from 'node:net';
import type { Server } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { bundlePages } from '../../api/pages/bundle.ts';
import { createThreads } from '../../api/threads/client.ts';
import { createApiPool } from '../../api/threads/pool.ts';
import { warmUp } from '../../api/threads/warm-up.ts';
import { ConfigError, type Config } from '../drivers/config.ts';
import { createObjectStore } from '../drivers/objects/object-store.ts';
import { checksOf, openProbe } from '../drivers/checks.ts';
import { createSlots } from '../drivers/crash-marks.ts';
import { observed } from '../drivers/objects/observed.ts';
import { keepsSessions, openDatabase } from '../drivers/postgres/pool.ts';
import { watch, whyNoCreate } from '../drivers/temporal/create-path.ts';
import { createTemporalClient } from '../drivers/temporal/client.ts';
import { logUntil, type Log } from '../observe/log.ts';
import { recordOperation } from '../observe/operations.ts';
import { describeCheck, watchReadiness } from '../observe/readiness.ts';
import { withoutNotifications, listenForEnded } from '../records/fit-jobs/ended.ts';
import { createJobs } from '../../api/jobs/jobs.ts';
import { askForFit } from '../../api/jobs/ask-for-fit.ts';
import { askForPreparation } from '../../api/jobs/ask-for-preparation.ts';
import { openCrashMarker } from './crash-marker.ts';
import { ofCallers, openPretrained, statusNow, type Pretrained } from './encoders.ts';
import { keepReportingWeights } from './report-weights.ts';
import { keepGauges, measureCertificate } from './gauges.ts';
import { traceStatements } from '../drivers/postgres/traced.ts';
import { temporalServerOf, type Addresses } from './servers.ts';
import { drainSecondsOf, longestRequestSeconds, within, type Part } from './stops.ts';
import { followTlsFiles, readTransport } from './transport.ts';
import { tryStore } from './try-store.ts';
import { logUnservable } from './unservable.ts';

const usualPort = 8080;
const logAfterSeconds = 2;
/** Timeout of the look at Temporal's search attributes, builds and workers. */
const lookMs = 10_000;

/**
 * Starts the parts of one API process: database pool, worker threads, HTTP server. `shared`: pretrained models that
 * another part of the process uses too.
 */
export async function startApi(
  config: Config,
  addresses: Addresses,
  said: Log,
  migrating?: (line: string) => void,
  shared?: Pretrained,
): Promise<Part & { readonly url: string }> {
  await using starting = new AsyncDisposableStack();
  const stopping = new AbortController();
  const log = logUntil(said, stopping.signal);
  const transport = await readTransport(config);
  // Runs while the process connects to the servers, so that the first page does not wait for it.
  void bundlePages().catch((error: unknown) => log.error('The account pages cannot be made.', { error }));
  const pool = await openDatabase(addresses.databaseUrl, {
    max: 20,
    log: migrating,
    waiting: (line) => log.warn(line),
    onLost: (error) => log.warn('A database connection was lost.', { error }),
  });
  traceStatements(pool);
  starting.defer(() => pool.end());
  const { models, encoders } = shared ?? (await openPretrained('API', config, log));
  if (!shared) starting.defer(() => encoders.close());
  await logUnservable(pool, 'API', log);
  const keys = addresses.secrets.dataEncryptionKeys;
  const objects = { url: addresses.objectStoreUrl, keys };
  const marker = await openCrashMarker(config, pool, log);
  starting.defer(() => marker?.stop());
  const threads = createApiPool(
    { objects, marks: marker?.file },
    {
      warmUp: config.warmUp ? warmUp : [],
      compiledDir: config.compiledDir,
      services: encoders.servicesFor(ofCallers),
    },
  );
  starting.defer(() => threads.close());
  const temporal = createTemporalClient(temporalServerOf(config, addresses), {
    onFault: (error) => log.warn('The connection to Temporal was not renewed.', { error }),
  });
  starting.defer(() => temporal.close());
  const listening = keepsSessions(addresses.databaseUrl) ? listenForEnded(pool) : null;
  starting.defer(() => listening?.close());
  const jobs = createJobs({ client: temporal.client, pool, log, ended: listening ?? withoutNotifications });
  const asking = { pool, client: temporal.client, inPlace: config.referenceDataUrl?.startsWith('file:') ?? false };
  const objectStore = observed(createObjectStore(objects), recordOperation);
  await tryStore(objectStore, log);
  const weightsReports = await keepReportingWeights(pool, 'api', log);
  starting.defer(() => weightsReports.stop());
  const probe = openProbe(addresses.databaseUrl);
  starting.defer(() => probe.end());
  const creates = watch(
    'It is not known yet whether workers take the tasks of creates.',
    () => temporal.client.withDeadline(Date.now() + lookMs, () => whyNoCreate(temporal.client)),
    { signal: stopping.signal },
  );
  const readiness = watchReadiness({
    checks: checksOf({
      sql: probe,
      client: temporal.client,
      objects: objectStore,
      work: () => creates.reason,
      threads: () => (threads.warm ? null : 'The threads are warming up.'),
    }),
    onChange: (name, state, error) => log.warn(describeCheck(name, state), { error }),
  });
  starting.defer(() => readiness.close());
  keepGauges({ readiness, pool, probe, folders: config }, stopping.signal);
  if (transport.tls) measureCertificate(transport.tls.cert);
  const deps: ApiDeps = {
    readiness,
    pool,
    threads: createThreads(threads, marker && createSlots(marker.file)),
    objects: objectStore,
    models: () => statusNow(models),
    jobs,
    reference: {
      preparation: (key, { at, start }) => askForPreparation(asking, key, { at, when: start ? 'due' : 'never' }),
      fit: (wanted, how) => askForFit(asking, wanted, how),
    },
    sessionSecret: addresses.secrets.sessionSecret,
    trustedProxies: config.trustedProxies,
    metricsAllow: config.metricsAllow,
    metricsHosts: config.metricsHosts,
    ...transport,
    log,
  };
  const app = buildApp(deps);
  await listen(app, config);
  if (config.tlsFiles)
    followTlsFiles(app.server as unknown as Server, config.tlsFiles, { signal: stopping.signal, log });
  const { port, family, address: on } = app.server.address() as AddressInfo;
  const host = on === '0.0.0.0' || on === '::' ? 'localhost' : family === 'IPv6' ? `[${on}]` : on;
  const parts = starting.move();
  return {
    url: `${transport.tls ? 'https' : 'http'}://${host}:${port}`,
    async stop(signal = null) {
      readiness.drain();
      marker?.stopping();
      const pause = drainSecondsOf(config, signal);
      if (pause > 0) {
        log.info(`Not ready any more; takes requests for ${pause} s, until every proxy has noticed.`);
        await sleep(pause * 1000);
      }
      const late = new AbortController();
      void sleep(logAfterSeconds * 1000, undefined, { signal: late.signal }).then(
        () =>
          log.info(
            `Waiting for the requests that still run, at most ${longestRequestSeconds} s; a second Ctrl-C or signal ` +
              'ends them.',
          ),
        () => undefined,
      );
      await within(longestRequestSeconds, app.close());
      late.abort();
      stopping.abort();
      app.server.closeAllConnections();
      await parts.disposeAsync();
    },
  };
}

/** Listens on the configured port, or throws; without one, on 8080 or any free port. */
async function listen(app: ReturnType<typeof buildApp>, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port: port ?? usualPort });
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (!taken) throw error;
    if (port !== null)
      throw new ConfigError(
        [
          `PORT is ${port}, but another program listens there. Choose another port, PORT=0 for any free one, or leave it unset.`,
        ],
        { cause: error },
      );
    await app.listen({ host, port: 0 });
  }
}
