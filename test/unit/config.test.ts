import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, folderOfFileUrl, loadConfig } from '../../infra/drivers/config.ts';
import { findServers } from '../../infra/main/servers.ts';
import { loadSecrets } from '../../infra/drivers/secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (environment: Record<string, string>) => loadConfig({ HOME: '/home/ada', ...environment }, folder);
const problems = (environment: Record<string, string>): string => {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('the operational contract', () => {
  it('switches TLS to Temporal on if its settings are given, which must be complete', () => {
    const TEMPORAL_ADDRESS = 'temporal:7233';
    expect(read({ TEMPORAL_ADDRESS }).temporalSecurity).toMatchObject({ tls: false });
    expect(read({ TEMPORAL_ADDRESS, TEMPORAL_API_KEY: 'k' }).temporalSecurity).toMatchObject({
      tls: true,
      apiKey: 'k',
    });
    expect(read({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA_FILE: 'ca' }).temporalSecurity.files.ca).toBe(join(folder, 'ca'));
    expect(read({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA_FILE: 'ca', TEMPORAL_TLS: 'off' }).temporalSecurity.tls).toBe(
      false,
    );
    expect(problems({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CERT_FILE: 'c' })).toMatch(/_KEY_FILE belong together/);
    expect(problems({ TEMPORAL_TLS: 'on' })).toMatch(/TEMPORAL_ADDRESS, which is not set/);
  });

  it('sends a key without TLS only to this machine', () => {
    const plain = (host: string) => ({
      TEMPORAL_ADDRESS: `${host}:7233`,
      TEMPORAL_API_KEY: 'k',
      TEMPORAL_TLS: 'off',
    });
    for (const host of ['127.0.0.1', '127.9.9.9', '[::1]', 'localhost', 'LOCALHOST'])
      expect(read(plain(host)).temporalSecurity.tls, host).toBe(false);
    for (const host of ['temporal', '10.0.0.1', '0.0.0.0', '[fd00::1]', 'localhost.example.org'])
      expect(problems(plain(host)), host).toMatch(/^TEMPORAL_TLS is off, so that TEMPORAL_API_KEY would cross/);
  });

  it('has the documented defaults', () => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: null,
      dataDir: join(folder, '.data'),
      cacheDir: '/home/ada/.cache/eeg-task-classifier',
      databaseUrl: null,
      temporalAddress: null,
      temporalNamespace: 'default',
      objectStoreUrl: null,
      temporalUiPort: null,
      referenceDataUrl: null,
      trustedProxies: [],
    });
  });

  it('treats an empty variable as unset and honours XDG_CACHE_HOME', () => {
    expect(read({ PORT: '', XDG_CACHE_HOME: '/x/cache' })).toMatchObject({
      port: null,
      cacheDir: '/x/cache/eeg-task-classifier',
    });
  });

  it('reads file URLs relative to the folder, and absolute ones', () => {
    expect(read({ REFERENCE_DATA_URL: 'file:../shared/data' }).referenceDataUrl).toBe(
      `file://${join(folder, '../shared/data')}`,
    );
    expect(read({ OBJECT_STORE_URL: 'file:///srv/a%20b' }).objectStoreUrl).toBe('file:///srv/a%20b');
    expect(folderOfFileUrl('file:///srv/a%20b')).toBe('/srv/a b');
  });

  it('takes ids of models, `none`, or the default of the catalogue', () => {
    expect(read({}).modelsEnabled).toBeNull();
    expect(read({ MODELS_ENABLED: 'none' }).modelsEnabled).toEqual([]);
    expect(read({ MODELS_ENABLED: 'dcrnn-tusz, robust-sleep-net,dcrnn-tusz' }).modelsEnabled).toEqual([
      'dcrnn-tusz',
      'robust-sleep-net',
    ]);
  });

  it.each([
    ['PORT', '65536', '0 to 65535'],
    ['PORT', '80a', '0 to 65535'],
    ['TEMPORAL_UI_PORT', '-1', '0 to 65535'],
    ['DATABASE_URL', 'mysql://x', 'postgres://'],
    ['TEMPORAL_ADDRESS', 'localhost', 'host:port'],
    ['OBJECT_STORE_URL', '/srv', 'file:/srv/eeg'],
    ['OBJECT_STORE_URL', 'http://bucket', 'must start with file: or s3:'],
    ['OBJECT_STORE_URL', 's3:///prefix?region=us-east-1', 'must name a bucket'],
    ['OBJECT_STORE_URL', 's3://Bucket?region=us-east-1', 'must name a bucket of 3 to 63 lower-case letters'],
    ['OBJECT_STORE_URL', 's3://bucket/prefix', 'lacks its region='],
    ['OBJECT_STORE_URL', 's3://bucket/a//b?region=us-east-1', 'may have a prefix'],
    [
      'OBJECT_STORE_URL',
      's3://bucket?region=us-east-1&regoin=x',
      'has the parameter "regoin"; there are region, endpoint',
    ],
    ['OBJECT_STORE_URL', 's3://bucket?region=us-east-1&region=eu-west-1', 'has the parameter region twice'],
    [
      'OBJECT_STORE_URL',
      's3://bucket?region=us-east-1&endpoint=minio:9000',
      'has the parameter endpoint, which must be the address',
    ],
    ['OBJECT_STORE_URL', 's3://bucket?region=us-east-1&sse_key=k', 'needs sse=aws:kms'],
    ['OBJECT_STORE_URL', 's3://bucket?region=us-east-1&checksums=md5', 'must be crc32'],
    ['OBJECT_STORE_URL', 's3://key:secret@bucket?region=us-east-1', 'must hold no credentials: the AWS SDK finds them'],
    ['REFERENCE_DATA_URL', 'https://ada:secret@mirror.example.org', 'no user and no password'],
    ['REFERENCE_DATA_URL', 'https://mirror.example.org/?key=x', 'to which a path can be added'],
    ['REFERENCE_DATA_URL', 'https://', 'to which a path can be added'],
    [
      'MODELS_ENABLED',
      'robust-sleep-net, labram',
      'names "labram", which is no model that may be used; there are movement, robust',
    ],
    ['MODELS_ENABLED', 'neurorvq-eeg', 'names neurorvq-eeg, whose licence forbids it: CC BY-NC 4.0 permits no use'],
    ['MODEL_STORE_URL', 'http://mirror.example.org', 'must start with https: or file:'],
    ['DATA_ENCRYPTION_KEY', 'c2hvcnQ=', 'it holds 5 bytes'],
    ['SESSION_SECRET', 'short', 'it has 5'],
    ['DATABASE_POOLER', 'session', 'must be transaction'],
    ['WORKER_TASKS', 'some', 'must be all or light or heavy'],
    ['DEPLOYMENT_BUILD', 'a b', 'must be 1 to 60 letters'],
    ['TEMPORAL_TLS', 'yes', 'must be on or off'],
    ['TEMPORAL_API_KEY', 'two words', 'must be visible characters'],
    ['DATABASE_POOLER', 'transaction', 'speaks of the server of DATABASE_URL'],
    ['TRUSTED_PROXIES', '10.0.0.1, 0.0.0.0/0', 'holds 0.0.0.0/0, so every caller could claim any address'],
    ['TRUSTED_PROXIES', '::/0', 'holds ::/0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'holds "10.0.0.0/33", which is no address'],
    ['TRUSTED_PROXIES', 'proxy.example.org', 'holds "proxy.example.org"'],
  ])('refuses %s=%s and says what it should be', (name, value, expected) => {
    expect(problems({ [name]: value })).toMatch(new RegExp(`^${name} `));
    expect(problems({ [name]: value })).toContain(expected);
  });

  it('takes addresses and ranges of trusted proxies that the HTTP server takes too', () => {
    const { trustedProxies } = read({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 fd00::/8,::1 loopback' });
    expect(trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1', 'loopback']);
    expect(() => Fastify({ trustProxy: [...trustedProxies] })).not.toThrow();
  });

  it('lists every problem at once and never shows a secret', () => {
    const message = problems({ PORT: 'x', SESSION_SECRET: 'hunter2' });
    expect(message.split('\n')).toHaveLength(2);
    expect(message).not.toContain('hunter2');
  });
});

describe('secrets', () => {
  it('are made once, for their owner only, and stay the same', async () => {
    const config = read({ DATA_DIR: 'data' });
    const [one, two] = await Promise.all([loadSecrets(config), loadSecrets(config)]);
    expect(one).toEqual(two);
    expect(one.dataEncryptionKeys.map(({ length }) => length)).toEqual([32]);
    const path = join(folder, 'data/secrets/data-encryption-key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(path, 'utf8'), 'base64')).toEqual(Buffer.from(one.dataEncryptionKeys[0]));
  });

  it('and a store are required with a database of its own', async () => {
    const secrets = { DATA_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'), SESSION_SECRET: 's'.repeat(32) };
    const servers = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d', TEMPORAL_ADDRESS: '127.0.0.1:1' };
    await expect(findServers(read({ ...servers, ...secrets }))).rejects.toThrow(
      /^OBJECT_STORE_URL must be set when DATABASE_URL is set/,
    );
    const found = await findServers(read({ ...servers, ...secrets, OBJECT_STORE_URL: 'file:/srv/eeg' }));
    expect(found.objectStoreUrl).toBe('file:///srv/eeg');
  });

  it('are required with a database of its own', async () => {
    const config = read({ DATABASE_URL: 'postgres://u:p@h/d' });
    await expect(loadSecrets(config)).rejects.toThrow(/DATA_ENCRYPTION_KEY must be set[^]*SESSION_SECRET must be set/);
    const key = Buffer.alloc(32, 7).toString('base64');
    const given = read({
      DATABASE_URL: 'postgres://u:p@h/d',
      DATA_ENCRYPTION_KEY: key,
      SESSION_SECRET: 's'.repeat(32),
    });
    await expect(loadSecrets(given)).resolves.toEqual({
      dataEncryptionKeys: [new Uint8Array(32).fill(7)],
      sessionSecret: 's'.repeat(32),
    });
  });
});
