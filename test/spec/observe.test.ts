import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { observed } from '../../infra/drivers/objects/observed.ts';
import { traceStatements } from '../../infra/drivers/postgres/traced.ts';
import { readBooks } from '../../infra/main/gauges.ts';
import { recordReconciled } from '../../infra/records/books-summary.ts';
import { jsonLog } from '../../infra/observe/log.ts';
import { exposition, registry } from '../../infra/observe/metrics.ts';
import { recordOperation } from '../../infra/observe/operations.ts';
import { startOtlp, type Otlp } from '../../infra/observe/otlp.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { base64, createBody, nested } from '../support/requests.ts';

/** Everything that a caller sent and nobody else may read; channels are long enough not to occur by chance. */
const channels = ['FFC1h', 'CCP5h', 'CPP3h'];
const labels = Array.from({ length: 12 }, (_, trial) => (trial % 2 ? 'canary-right' : 'canary-left'));
const encoded = base64(nested());
const body = createBody({
  description: 'canary-description: imagined movement',
  channels,
  labels,
  x: encoded,
  shape: [12, 3, 80],
});
const { labels: _labels, description: _description, ...signal } = body;

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let api: TestApi;
let app: FastifyInstance;
let account: TestAccount;
let otlp: Otlp;
const memory = new InMemorySpanExporter();
const lines: any[] = [];
const wire: Buffer[] = [];
const collector = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => wire.push(chunk));
  request.on('end', () => response.writeHead(200).end());
});

beforeAll(async () => {
  registry.resetMetrics();
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const sent = new OTLPTraceExporter({
    url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
  });
  otlp = startOtlp({
    service: 'eeg-test',
    exporter: {
      export(spans, done) {
        memory.export(spans, () => undefined);
        sent.export(spans, done);
      },
      shutdown: () => sent.shutdown(),
      forceFlush: () => sent.forceFlush(),
    },
  });
  const log = jsonLog({ write: (line) => void lines.push(JSON.parse(line)) }, 'api', 'debug');
  api = await startTestApi({ log });
  traceStatements(api.deps.pool);
  app = api.second({
    objects: observed(api.deps.objects, recordOperation),
    trustedProxies: ['10.1.0.0/16'],
    metricsAllow: ['10.2.0.0/16'],
    metricsHosts: ['api-1'],
  });
  account = await newAccount(api.database);
  await drive();
  await otlp.processor.forceFlush();
});
afterAll(async () => {
  await api?.close();
  await otlp?.stop();
  collector.close();
});

let modelId: string;
const answered: Record<string, number> = {};

/** Requests of every kind: good, refused, malformed, broken by a fault of the service. */
async function drive(): Promise<void> {
  const post = async (what: string, path: string, sent: unknown, headers: Record<string, string> = {}) => {
    const reply = await send(app, account.key, 'POST', path, sent, headers);
    answered[what] = reply.status;
    return reply;
  };
  const created = await post('create', '/v1/task-models', body, {
    'idempotency-key': 'canary-idempotency',
    traceparent,
  });
  modelId = created.body.id;
  await post('replay', '/v1/task-models', body, { 'idempotency-key': 'canary-idempotency' });
  await post('predict', `/v1/task-models/${modelId}/predictions`, signal);
  await post('foreign channel', `/v1/task-models/${modelId}/predictions`, {
    ...signal,
    channels: ['canary-ch', ...channels.slice(1)],
  });
  await post('units', '/v1/task-models', { ...body, units: 'unknown' });
  await post('broken JSON', '/v1/task-models', `{"description": "canary-broken", "labels": ["canary-left", `);
  await post('unknown field', '/v1/task-models', { ...body, 'canary-field': 'canary-value' });
  await post('no such path', '/v1/canary-path?canary-query=1', body);
  answered['wrong key'] = (await send(app, account.key.slice(0, -1), 'GET', '/v1/usage')).status;
  const broken = api.second({
    jobs: {
      ...api.deps.jobs,
      runFit: () => Promise.reject(new Error(`The worker said: Bearer ${account.key} ${encoded}`)),
    },
  });
  answered['fault'] = (await send(broken, account.key, 'POST', '/v1/task-models', body)).status;
}

it('runs the requests that are inspected below', () => {
  expect(answered).toEqual({
    create: 201,
    replay: 201,
    predict: 200,
    'foreign channel': 422,
    units: 422,
    'broken JSON': 422,
    'unknown field': 422,
    'no such path': 404,
    'wrong key': 401,
    fault: 500,
  });
});

it('logs, metrics and spans contain no data of callers and no keys', async () => {
  const written = {
    logs: JSON.stringify(lines),
    metrics: await exposition(),
    spans: Buffer.concat(wire).toString('latin1'),
  };
  expect(written.spans).toContain('/v1/task-models/:model_id/predictions');
  const secret = account.key.slice(-48);
  for (const [where, text] of Object.entries(written))
    for (const never of ['canary', secret, encoded.slice(0, 40), encoded.slice(-40), ...channels])
      expect(text.includes(never), `${never} in ${where}`).toBe(false);
});

it('writes a line for each request with its ids, and each fault with its cause', () => {
  const predicted = lines.find(({ route, status }) => route?.endsWith('/predictions') && status === 200);
  expect(predicted).toMatchObject({
    level: 'debug',
    msg: 'A request has ended.',
    route: 'POST /v1/task-models/:model_id/predictions',
    code: 'ok',
    account: account.accountId,
    model: modelId,
    request: expect.stringMatching(/^req_/),
    trace: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const fault = lines.filter(({ level }) => level === 'error');
  expect(fault).toHaveLength(1);
  expect(fault[0]).toMatchObject({ msg: 'INTERNAL in POST /v1/task-models', request: expect.stringMatching(/^req_/) });
  expect(fault[0].error.message).toMatch(/^The worker said: /);
});

const named = (name: string): ReadableSpan[] => memory.getFinishedSpans().filter((span) => span.name === name);

it('traces a prediction from its request to its statements, objects and thread', () => {
  const request = named('POST /v1/task-models/:model_id/predictions').find(
    ({ attributes }) => attributes['http.response.status_code'] === 200,
  )!;
  expect(request.attributes).toMatchObject({
    'http.route': '/v1/task-models/:model_id/predictions',
    'eeg.code': 'ok',
    'eeg.account': account.accountId,
    'eeg.model': modelId,
  });
  const { traceId, spanId } = request.spanContext();
  const inside = memory.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
  expect(inside.some(({ name }) => name.startsWith('sql '))).toBe(true);
  const task = inside.find(({ name }) => name.startsWith('thread '))!;
  expect(task.parentSpanId).toBe(spanId);
  expect(task.attributes['eeg.ran_ms']).toBeGreaterThan(0);
  expect(task.attributes['eeg.waited_ms']).toBeGreaterThanOrEqual(0);
  const stored = named('store create').find(({ attributes }) => attributes['eeg.object.kind'] === 'staged')!;
  expect(stored.attributes['eeg.object.bytes']).toBeGreaterThan(encoded.length / 2);
});

it('links to the trace of a caller or proxy, which does not decide about tracing', async () => {
  const [create] = named('POST /v1/task-models');
  const [, traceId] = traceparent.split('-');
  expect(create.spanContext().traceId).not.toBe(traceId);
  expect(create.links.map(({ context }) => context.traceId)).toEqual([traceId]);
  memory.reset();
  const hiding = traceparent.replace(/01$/, '00');
  await app.inject({ url: '/healthz', headers: { traceparent: hiding }, remoteAddress: '10.1.2.3' });
  await otlp.processor.forceFlush();
  const [asked] = named('GET /healthz');
  expect(asked.spanContext().traceId).not.toBe(traceId);
  expect(asked.links.map(({ context }) => context.traceId)).toEqual([traceId]);
});

/** The value of a sample of a metric, with labels that hold these. */
async function sample(name: string, wanted: Record<string, string> = {}): Promise<number> {
  const found = (await exposition())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => Object.entries(wanted).every(([label, value]) => line.includes(`${label}="${value}"`)));
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

it('counts requests, charges, replays, tasks and operations', async () => {
  const predictions = { route: '/v1/task-models/:model_id/predictions' };
  expect(await sample('eeg_http_requests_total', { ...predictions, status: '200', code: 'ok' })).toBe(1);
  expect(await sample('eeg_http_requests_total', { ...predictions, status: '422' })).toBe(1);
  expect(await sample('eeg_http_request_seconds_count', predictions)).toBe(2);
  expect(await sample('eeg_http_requests_total', { route: 'none', method: 'any', code: 'NOT_FOUND' })).toBe(1);
  expect(await sample('eeg_http_requests_total', { code: 'UNAUTHENTICATED' })).toBe(1);
  expect(await sample('eeg_charges_total', { kind: 'predict' })).toBe(1);
  expect(await sample('eeg_charged_micro_usd_total', { kind: 'predict' })).toBe(12 * 3_000);
  expect(await sample('eeg_idempotent_replays_total')).toBe(1);
  expect(await sample('eeg_thread_task_seconds_count', { pool: 'api' })).toBeGreaterThan(2);
  expect(await sample('eeg_thread_tasks_waiting', { pool: 'api' })).toBe(0);
  expect(await sample('eeg_thread_tasks_running', { pool: 'api' })).toBe(0);
  expect(await sample('eeg_object_operation_seconds_count', { operation: 'create', outcome: 'ok' })).toBe(2);
  expect(await sample('eeg_http_requests_in_flight')).toBe(0);
});

it('reports values of the database on holds, leases and the reconciler', async () => {
  const at = new Date(Date.now() - 60_000);
  await recordReconciled(api.deps.pool, { step: 'books', at, problems: 2 });
  await recordReconciled(api.deps.pool, {
    step: 'sweep',
    at,
    problems: 0,
    oldestStagedAt: new Date(at.getTime() - 60_000),
  });
  await recordReconciled(api.deps.pool, { step: 'sweep', at: new Date(at.getTime() - 1), problems: 9 });
  await readBooks(api.deps.pool);
  const { rows } = await api.database.admin.query(`SELECT count(*)::int AS n FROM holds WHERE state = 'open'`);
  expect(await sample('eeg_holds_open')).toBe(rows[0].n);
  expect(await sample('eeg_reconciler_problems', { step: 'books' })).toBe(2);
  expect(await sample('eeg_reconciler_problems', { step: 'sweep' })).toBe(0);
  expect(await sample('eeg_reconciled_timestamp_seconds', { step: 'sweep' })).toBeCloseTo(at.getTime() / 1000, 1);
  expect(await sample('eeg_staged_oldest_seconds')).toBeGreaterThan(119);
  expect(await sample('eeg_books_read_timestamp_seconds')).toBeGreaterThan(at.getTime() / 1000);
});

it('shows metrics to this machine and METRICS_ALLOW; for others the path is unknown', async () => {
  const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
    app.inject({ url: '/metrics', remoteAddress, headers });
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.2.3.4']) {
    const { statusCode, headers, body: text } = await ask(address);
    expect([statusCode, headers['content-type']], address).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=/),
    ]);
    expect(text).toContain('# TYPE eeg_http_requests_total counter');
  }
  for (const host of ['127.0.0.1:8080', '10.2.3.4:8080', 'api-1:8080'])
    expect((await ask('127.0.0.1', { host })).statusCode, host).toBe(200);
  const unknown = await app.inject({ url: '/nothing', remoteAddress: '192.0.2.1' });
  for (const [address, headers] of [
    ['192.0.2.1', {}],
    ['10.1.0.1', {}],
    ['10.1.0.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['10.1.0.1', { 'x-forwarded-for': '10.2.0.9' }],
    ['10.2.3.4', { 'x-forwarded-for': '10.2.3.4' }],
    ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { 'x-real-ip': '127.0.0.1' }],
    ['127.0.0.1', { via: '1.1 proxy' }],
    ['127.0.0.1', { 'x-forwarded-host': 'localhost' }],
    ['127.0.0.1', { forwarded: 'for=127.0.0.1' }],
    ['192.0.2.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { host: 'evil.example:8080' }],
    ['10.2.3.4', { host: 'api-2:8080' }],
  ] as const) {
    const refused = await ask(address, headers);
    const said = JSON.parse(refused.body);
    expect([refused.statusCode, said.code]).toEqual([unknown.statusCode, 'NOT_FOUND']);
    expect(said.message).toBe(JSON.parse(unknown.body).message.replace('/nothing', '/metrics'));
  }
});

it('has no label with many values', async () => {
  const text = await exposition();
  expect(text).not.toContain(account.accountId);
  expect(text).not.toContain(modelId);
  expect(text).not.toMatch(/req_|clf_|eeg_live|eeg_test/);
});
