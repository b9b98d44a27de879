import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { logLevels, type LogLevel } from '../observe/log.ts';
import { workerTasks, type WorkerTasks } from '../contract/workflow-names.ts';
import { s3UrlFault } from './objects/s3-url.ts';
import {
  buildId,
  hostAndPort,
  hostNames,
  keys32,
  longSecret,
  oneOf,
  origins,
  Refusal,
  securityOf,
  staysHere,
  wholeUpTo,
  type Read,
  type TemporalSecurity,
  modelIds,
  proxyFault,
} from './config-values.ts';

/** All settings, read from the environment and checked once. No other code reads `process.env`. */
export interface Config {
  readonly host: string;
  /** 0: any free port; null: 8080, or a free port if 8080 is in use. */
  readonly port: number | null;
  /** PEM files of the API's certificate chain and its key; null: plain HTTP. */
  readonly tlsFiles: { readonly cert: string; readonly key: string } | null;
  /** Absolute folder of all data that the embedded stack writes. */
  readonly dataDir: string;
  /** Per-user cache folder that survives fresh clones: the Temporal dev server, its test server. */
  readonly cacheDir: string;
  /** DATABASE_POOLER becomes its parameter `pooler`. */
  readonly databaseUrl: string | null;
  readonly temporalAddress: string | null;
  readonly temporalNamespace: string;
  /** TLS and identity for the connection to `temporalAddress`. */
  readonly temporalSecurity: TemporalSecurity;
  /** Kinds of work that a worker accepts. */
  readonly workerTasks: WorkerTasks;
  /** Memory limit of all fits of a worker together, in mebibytes; null: a quarter of the process's memory. */
  readonly fitMemoryMebibytes: number | null;
  /** Build id of the workers; null: workflows go to any worker. */
  readonly deploymentBuild: string | null;
  /** `file:` or `s3:` URL; null: a folder under `dataDir`. */
  readonly objectStoreUrl: string | null;
  /** null: 8233, or a free port if 8233 is in use. */
  readonly temporalUiPort: number | null;
  readonly temporalCli: string | null;
  /**
   * Mirror (`https:`) or folder (`file:`) of weights, with files at `folder/path` of their model; null: official sites.
   */
  readonly modelStoreUrl: string | null;
  /** Ids of the pretrained models that are on, all others off; null: the catalogue's default. */
  readonly modelsEnabled: readonly string[] | null;
  /** Mirror (`https:`) or folder (`file:`), with files at `folder/path` of their data set; null: the official site. */
  readonly referenceDataUrl: string | null;
  /** Keys of 32 bytes, the newest first; null: generated once under `dataDir` (embedded stack only). */
  readonly dataEncryptionKeys: readonly Uint8Array[] | null;
  readonly sessionSecret: string | null;
  /** Proxies, as addresses or CIDR ranges, whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Port of a worker's health server; 0: a free port; null: none. */
  readonly workerHealthPort: number | null;
  /** Seconds between "not ready" and the end of listening after a SIGTERM; null: depends on the API's address. */
  readonly drainSeconds: number | null;
  /** Addresses or CIDR ranges, in addition to loopback, that may read `/metrics`. */
  readonly metricsAllow: readonly string[];
  /** Names allowed in the Host of a request for `/metrics`, in addition to addresses and `localhost`. */
  readonly metricsHosts: readonly string[];
  /** Origins of Temporal interfaces that may request decrypted payloads (`npm run codec`). */
  readonly temporalUiOrigins: readonly string[];
  /** Base address for traces, without a path; null: no traces. */
  readonly otlpEndpoint: string | null;
  readonly serviceName: string | null;
  /** Whether threads run simulated work before they take real tasks. */
  readonly warmUp: boolean;
  /** Cache folder of compiled modules. */
  readonly compiledDir: string;
  /** null: text on a terminal, else JSON. */
  readonly logFormat: 'text' | 'json' | null;
  readonly logLevel: LogLevel;
  /** Folders of `PATH`, for finding programs. */
  readonly path: readonly string[];
}

/** Longest allowed pause between "not ready" and the end of listening. */
export const longestDrainSeconds = 120;

type Environment = Readonly<Record<string, string | undefined>>;

/** All problems of the environment in one error. Each names the variable and the remedy. */
export class ConfigError extends Error {
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join('\n'), options);
    this.name = 'ConfigError';
  }
}

/** Reads the environment; throws a ConfigError that lists every invalid variable. */
export function loadConfig(environment: Environment = process.env, folder: string = process.cwd()): Config {
  const problems: string[] = [];
  const read: Read = (name, fallback, parse) => {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(`${name} ${error.message}`);
      return fallback;
    }
  };
  const text = (value: string): string => value;
  const path = (value: string): string => resolve(folder, value);
  const dataDir = read('DATA_DIR', join(folder, '.data'), path);
  const cacheRoot = read<string | null>('XDG_CACHE_HOME', null, path) ?? join(environment.HOME || homedir(), '.cache');
  const cert = read<string | null>('TLS_CERT_FILE', null, path);
  const key = read<string | null>('TLS_KEY_FILE', null, path);
  if ((cert === null) !== (key === null))
    problems.push(
      cert === null
        ? 'TLS_CERT_FILE must be set where TLS_KEY_FILE is: the certificate chain, PEM.'
        : 'TLS_KEY_FILE must be set where TLS_CERT_FILE is: the private key, PEM.',
    );
  const databaseUrl = read<string | null>(
    'DATABASE_URL',
    null,
    urlOf(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database'),
  );
  const pooler = read<string | null>('DATABASE_POOLER', null, oneOf(['transaction']));
  if (pooler && !databaseUrl) problems.push('DATABASE_POOLER speaks of the server of DATABASE_URL, which is not set.');
  const security = securityOf(read, path);
  if (security.tls && !environment.TEMPORAL_ADDRESS)
    problems.push('TEMPORAL_TLS and what it needs speak of the server of TEMPORAL_ADDRESS, which is not set.');
  if ((security.files.cert === null) !== (security.files.key === null))
    problems.push(
      'TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE belong together: the certificate of this client and its key, PEM.',
    );
  const temporalAddress = read<string | null>('TEMPORAL_ADDRESS', null, hostAndPort);
  if (security.apiKey !== null && !security.tls && temporalAddress !== null && !staysHere(temporalAddress))
    problems.push(
      'TEMPORAL_TLS is off, so that TEMPORAL_API_KEY would cross the network in the clear: leave one of them out.',
    );
  const config: Config = {
    host: read('HOST', '127.0.0.1', text),
    port: read<number | null>('PORT', null, wholeUpTo(65_535)),
    tlsFiles: cert !== null && key !== null ? { cert, key } : null,
    dataDir,
    cacheDir: join(cacheRoot, 'eeg-task-classifier'),
    databaseUrl: databaseUrl && pooler ? withPooler(databaseUrl, pooler) : databaseUrl,
    temporalAddress,
    temporalNamespace: read('TEMPORAL_NAMESPACE', 'default', text),
    temporalSecurity: security,
    workerTasks: read<WorkerTasks>('WORKER_TASKS', 'all', oneOf(workerTasks)),
    fitMemoryMebibytes: read<number | null>('FIT_MEMORY_MIB', null, wholeUpTo(1024 * 1024)),
    deploymentBuild: read<string | null>('DEPLOYMENT_BUILD', null, buildId),
    objectStoreUrl: read<string | null>('OBJECT_STORE_URL', null, objectStore(folder)),
    temporalUiPort: read<number | null>('TEMPORAL_UI_PORT', null, wholeUpTo(65_535)),
    temporalCli: read<string | null>('TEMPORAL_CLI', null, path),
    modelStoreUrl: read<string | null>('MODEL_STORE_URL', null, locationOf(folder, ['https:', 'file:'])),
    modelsEnabled: read<readonly string[] | null>('MODELS_ENABLED', null, modelIds),
    referenceDataUrl: read<string | null>('REFERENCE_DATA_URL', null, locationOf(folder, ['https:', 'file:'])),
    dataEncryptionKeys: read<readonly Uint8Array[] | null>('DATA_ENCRYPTION_KEY', null, keys32),
    sessionSecret: read<string | null>('SESSION_SECRET', null, longSecret),
    trustedProxies: read<readonly string[]>('TRUSTED_PROXIES', [], proxyRanges),
    workerHealthPort: read<number | null>('WORKER_HEALTH_PORT', null, wholeUpTo(65_535)),
    drainSeconds: read<number | null>('DRAIN_SECONDS', null, wholeUpTo(longestDrainSeconds)),
    metricsAllow: read<readonly string[]>('METRICS_ALLOW', [], addressRanges),
    metricsHosts: read<readonly string[]>('METRICS_HOSTS', [], hostNames),
    temporalUiOrigins: read<readonly string[]>('TEMPORAL_UI_ORIGINS', [], origins),
    otlpEndpoint: read<string | null>(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      null,
      urlOf(['http:', 'https:'], 'http://127.0.0.1:4318'),
    ),
    serviceName: read<string | null>('OTEL_SERVICE_NAME', null, text),
    warmUp: read<'on' | 'off'>('WARM_UP', 'on', oneOf(['on', 'off'] as const)) === 'on',
    compiledDir: join(cacheRoot, 'eeg-task-classifier', 'compiled'),
    logFormat: read<'text' | 'json' | null>('LOG_FORMAT', null, oneOf(['text', 'json'] as const)),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', oneOf(logLevels)),
    path: (environment.PATH ?? '').split(process.platform === 'win32' ? ';' : ':').filter(Boolean),
  };
  if (problems.length) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** The environment for a child process: this one's, with `changes`; undefined removes a variable. */
export function childEnvironment(changes: Environment = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...process.env, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Folder of a `file:` URL. The form `file:../x` is relative to `folder`. */
export function folderOfFileUrl(url: string, folder: string = process.cwd()): string {
  return /^file:\/\//i.test(url) ? fileURLToPath(url) : resolve(folder, decodeURIComponent(url.slice('file:'.length)));
}

function urlOf(schemes: readonly string[], example: string) {
  return (value: string): string => {
    const scheme = URL.canParse(value) ? new URL(value).protocol : null;
    if (scheme === null || !schemes.includes(scheme)) throw new Refusal(`must be a URL such as ${example}.`);
    return value;
  };
}

function locationOf(folder: string, schemes: readonly string[]) {
  return (value: string): string => {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(value)?.[0].toLowerCase();
    if (!scheme || !schemes.includes(scheme)) {
      throw new Refusal(`must start with ${schemes.join(' or ')}, for example file:/srv/eeg; it is "${value}".`);
    }
    if (scheme === 'https:') {
      const url = URL.parse(value);
      if (!url || url.search || url.hash) throw new Refusal('must be an address to which a path can be added.');
      if (url.username || url.password) throw new Refusal('must hold no user and no password; messages show it.');
    }
    return scheme === 'file:' ? pathToFileURL(folderOfFileUrl(value, folder)).href : value.replace(/\/+$/, '');
  };
}

function withPooler(url: string, pooler: string): string {
  const changed = new URL(url);
  changed.searchParams.set('pooler', pooler);
  return changed.href;
}

/** A folder, or a bucket (`objects/s3-url.ts`). */
function objectStore(folder: string) {
  return (value: string): string => {
    if (!/^s3:/i.test(value)) return locationOf(folder, ['file:', 's3:'])(value);
    const fault = s3UrlFault(value);
    if (fault !== null) throw new Refusal(fault);
    return value;
  };
}

function proxyRanges(value: string): readonly string[] {
  const ranges = value.split(/[\s,]+/).filter(Boolean);
  const fault = ranges.map(proxyFault).find((each) => each !== null);
  if (fault) throw new Refusal(fault);
  return ranges;
}

function addressRanges(value: string): readonly string[] {
  const ranges = value.split(/[\s,]+/).filter(Boolean);
  const fault = ranges.find((each) => proxyFault(each) !== null);
  if (fault)
    throw new Refusal(`holds "${fault}": give addresses or ranges of addresses, for example 10.0.0.0/8 or fd00::/8.`);
  return ranges;
}
