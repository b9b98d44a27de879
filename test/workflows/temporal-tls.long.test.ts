import { createServer as createHttp2Server } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../infra/drivers/config.ts';
import type { TemporalSecurity } from '../../infra/drivers/config-values.ts';
import { createTemporalClient, plain } from '../../infra/drivers/temporal/client.ts';
import { createWorker } from '../../infra/drivers/temporal/worker.ts';
import { selfSigned } from '../support/self-signed.ts';
import { cacheDir, objectKey } from './support/world.ts';

const ofServer = selfSigned();
const ofClient = selfSigned();
let folder: string;
let server: Server;
let address: string;
let mutual: TemporalSecurity;

const file = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

/** TLS as a Temporal server of one's own has it: a certificate is asked of clients, too. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-temporal-tls-'));
  const [host, port] = process.env['TEST_TEMPORAL_ADDRESS']!.split(':');
  server = createServer(
    { ...ofServer, ca: ofClient.cert, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    (near) => {
      const far = connect(Number(port), host);
      near.pipe(far).pipe(near);
      for (const each of [near, far]) each.on('error', () => undefined);
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  mutual = {
    ...plain,
    tls: true,
    files: {
      ca: await file('ca.pem', ofServer.cert),
      cert: await file('client.pem', ofClient.cert),
      key: await file('client.key', ofClient.key),
    },
    serverName: 'localhost',
  };
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const usual = { namespace: 'default', keys: [objectKey] };
const clientOf = (security: TemporalSecurity, everyMs?: number) =>
  createTemporalClient({ address, security, ...usual }, { everyMs });
const ask = (temporal: ReturnType<typeof clientOf>, ms = 1_500): Promise<string> =>
  temporal.client
    .withDeadline(Date.now() + ms, () => temporal.client.workflowService.describeNamespace({ namespace: 'default' }))
    .then(() => 'answered', String);

test('client and worker connect to Temporal over TLS with their certificate, and fail without it', async () => {
  const known = clientOf(mutual);
  expect(await ask(known, 30_000)).toBe('answered');
  const unknown = clientOf({ ...mutual, files: { ...mutual.files, cert: null, key: null } });
  expect(await ask(unknown)).not.toBe('answered');
  const other = clientOf({ ...mutual, files: { ...mutual.files, ca: await file('other.pem', selfSigned().cert) } });
  expect(await ask(other)).toMatch(/certificate|DEADLINE/i);
  const worker = await createWorker({
    ...usual,
    address,
    security: mutual,
    taskQueue: `tls-${crypto.randomUUID()}`,
    activities: { nothing: async () => undefined },
    cacheDir,
    workflows: new URL('../../workflows/', import.meta.url),
    schedules: false,
  });
  await expect.poll(() => worker.unready, { timeout: 60_000 }).toBe(null);
  await worker.shutdown();
  await Promise.all([known, unknown, other].map((each) => each.close()));
});

test('a renewed certificate on disk is used for new connections', async () => {
  const former = selfSigned();
  const files = { ca: mutual.files.ca, cert: await file('r.pem', former.cert), key: await file('r.key', former.key) };
  const temporal = clientOf({ ...mutual, files }, 50);
  expect(await ask(temporal)).not.toBe('answered');
  await Promise.all([file('r.pem', ofClient.cert), file('r.key', ofClient.key)]);
  await expect.poll(() => ask(temporal, 5_000), { timeout: 60_000 }).toBe('answered');
  await temporal.close();
});

test('files that cannot be used are named with their variable, all at once', async () => {
  const wrong = await file('wrong.pem', 'no certificate');
  const security = { ...mutual, files: { ca: wrong, cert: mutual.files.cert, key: join(folder, 'none.key') } };
  expect(() => clientOf(security)).toThrow(ConfigError);
  expect(() => clientOf(security)).toThrow(
    /TEMPORAL_TLS_KEY_FILE cannot be read.*\n.*TEMPORAL_TLS_CA_FILE .* holds no certificates/,
  );
  const key = await file('other.key', selfSigned().key);
  expect(() => clientOf({ ...mutual, files: { ...mutual.files, key } })).toThrow(
    /TEMPORAL_TLS_CERT_FILE .* and TEMPORAL_TLS_KEY_FILE .* are no certificate with its key/,
  );
});

test('an API key is sent with every call of clients and workers', async () => {
  const seen: (string | undefined)[] = [];
  const fake = createHttp2Server().on('stream', (stream, headers) => {
    seen.push(headers.authorization);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true });
  });
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  const fakeAddress = `127.0.0.1:${(fake.address() as AddressInfo).port}`;
  const { temporalSecurity } = loadConfig({
    HOME: folder,
    TEMPORAL_ADDRESS: fakeAddress,
    TEMPORAL_API_KEY: 'a-secret-key',
    TEMPORAL_TLS: 'off',
  });
  const starting = createWorker({
    ...usual,
    address: fakeAddress,
    security: temporalSecurity,
    activities: {},
    cacheDir,
    workflows: new URL('../../workflows/', import.meta.url),
  });
  await expect(starting).rejects.toThrow(/Temporal at .* refuses the worker: .*set TEMPORAL_API_KEY/);
  await expect(starting).rejects.not.toThrow(/a-secret-key/);
  expect(new Set(seen)).toEqual(new Set(['Bearer a-secret-key']));
  await new Promise((resolve) => fake.close(resolve));
});
