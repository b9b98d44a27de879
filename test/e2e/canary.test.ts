import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulateRecording } from '../support/simulated-recording.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { takeTrials, type DemoTrials } from '../../infra/recordings/trials.ts';
import { createOf, httpClient, signalOf, type HttpReply } from '../support/http-client.ts';
import { adminKey, newDataDir, runMain, type Program } from '../support/stack.ts';

/** A waveform that occurs nowhere by chance, at the head of a channel of every trial. */
const waveform = Float32Array.from([31.415926, -27.182818, 16.180339, -14.142135, 17.320508, -26.457513]);
const description = 'canary-description: fists or feet';
const forms = (bytes: Buffer): Buffer[] => [
  bytes,
  Buffer.from(bytes.toString('hex')),
  // The whole base64 groups of the bytes at each of the three alignments.
  ...[0, 1, 2].map((skip) =>
    Buffer.from(
      Buffer.concat([Buffer.alloc(skip), bytes])
        .toString('base64')
        .slice(skip ? 4 : 0)
        .replace(/.{4}$/, ''),
    ),
  ),
];
const texts = [...waveform].flatMap((value) => [String(value), value.toFixed(6)]).map((text) => Buffer.from(text));
const signalCanaries = [
  ...forms(Buffer.from(waveform.buffer)),
  ...forms(Buffer.from(waveform.map((value) => value * 1e-3).buffer)),
  ...forms(Buffer.from(Float64Array.from(waveform).buffer)),
  ...texts,
];

let folder: Awaited<ReturnType<typeof newDataDir>>;
let program: Program;
let key: string;
let secrets: Buffer[];
let immediate: HttpReply['body'];
let deferred: HttpReply['body'];

/** The fields of a batch of the same signal in other units and another order of channels. */
function rewritten(part: DemoTrials, form: { millivolts?: boolean; reversed?: boolean }) {
  const { samples, labels, sessions } = part;
  const rows = part.channels.length;
  const from = part.channels.map((_, c) => (form.reversed ? rows - 1 - c : c));
  const scale = form.millivolts ? 1e-3 : 1;
  const x = Float32Array.from(part.x, (_, at) => {
    const [trial, row, sample] = [Math.floor(at / (rows * samples)), Math.floor(at / samples) % rows, at % samples];
    return part.x[(trial * rows + from[row]!) * samples + sample]! * scale;
  });
  const channels = from.map((c) => part.channels[c]!);
  return { ...signalOf({ ...part, x, channels }), units: form.millivolts ? 'mV' : 'uV', labels, sessions };
}

beforeAll(async () => {
  folder = await newDataDir();
  program = runMain('start', [], { DATA_DIR: folder.path });
  const url = (await program.says(/API\s+(http:\S+)/))[1];
  ({ key } = await adminKey(folder.path));
  const secretFiles = ['data-encryption-key', 'session-secret'].map((name) =>
    readFile(join(folder.path, 'secrets', name), 'utf8'),
  );
  const kept = (await Promise.all(secretFiles)).map((text) => text.trim());
  secrets = [key, key.split('_').at(-1)!, 'long enough', ...kept]
    .map((text) => Buffer.from(text))
    .concat(kept.map((text) => Buffer.from(text, 'base64')));

  const { trials } = simulateRecording();
  const size = trials.channels.length * trials.samples;
  for (let i = 0; i < trials.labels.length; i++) trials.x.set(waveform, i * size);
  const client = httpClient(url, key);
  const words = { ...trials, labels: trials.labels.map((label) => `canary-label-${label}`) };
  const done = async (path: string, body: object, o: { status?: number; key?: string } = {}) => {
    const reply = await client.send('POST', path, body, o.key === undefined ? {} : { 'idempotency-key': o.key });
    expect(reply.status, JSON.stringify(reply.body).slice(0, 500)).toBeLessThan(300);
    if (o.status !== undefined) expect(reply.status).toBe(o.status);
    return reply.body;
  };
  immediate = await done('/v1/task-models', createOf(words, description), {
    status: 201,
    key: 'canary-idempotency-key',
  });
  await done(`/v1/task-models/${immediate.id}/predictions`, signalOf(trials), { status: 200 });
  const third = (k: number): DemoTrials =>
    takeTrials(
      words,
      Array.from({ length: 16 }, (_, row) => 16 * k + row),
    );
  const { id } = await done('/v1/task-models', { ...createOf(third(0), description), defer_fit: true });
  await done(`/v1/task-models/${id}/trials`, rewritten(third(1), { millivolts: true }));
  await done(`/v1/task-models/${id}/trials`, rewritten(third(2), { reversed: true }));
  deferred = await done(`/v1/task-models/${id}/fit`, {});
  // Refusals too: what is refused must not be written down either.
  expect(
    (await client.send('POST', '/v1/task-models', { ...createOf(trials, description), units: 'unknown' })).status,
  ).toBe(422);
  expect(
    (await client.send('POST', '/v1/task-models', { ...createOf(trials, description), x: [[[...waveform]]] })).status,
  ).toBe(422);
  expect((await httpClient(url, `${key}x`).send('GET', '/v1/usage')).status).toBe(401);
}, 600_000);

afterAll(() => folder.remove());

const holds = (bytes: Buffer, canaries: readonly Buffer[]): string[] =>
  canaries.filter((canary) => bytes.includes(canary)).map((canary) => canary.toString('latin1'));

describe('after creates, batches, a deferred fit, a prediction and refusals, no signal value, secret or full key is', () => {
  it('in what the processes wrote', () => {
    expect(holds(Buffer.from(program.output()), [...signalCanaries, ...secrets])).toEqual([]);
  });

  it('in any file of DATA_DIR except those that keep the secrets: logs, histories, tables, objects', async () => {
    const names = await readdir(folder.path, { recursive: true });
    const files = names.filter((name) => !name.startsWith('secrets/'));
    const found: string[] = [];
    for (const name of files) {
      const path = join(folder.path, name);
      const status = await stat(path).catch(() => null);
      if (!status?.isFile()) continue;
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      for (const canary of holds(bytes, [...signalCanaries, ...secrets]))
        found.push(`${relative(folder.path, path)}: ${canary}`);
    }
    expect(files.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });

  it('in anything that Temporal stores, nor the names of the classes or the idempotency key', async () => {
    for (const name of await readdir(join(folder.path, 'temporal'))) {
      const bytes = await readFile(join(folder.path, 'temporal', name));
      expect(holds(bytes, ['canary-label', 'canary-idempotency', 'canary-description'].map(Buffer.from)), name).toEqual(
        [],
      );
    }
  });

  it('in any row of any table', async () => {
    const { databaseUrl } = JSON.parse(await readFile(join(folder.path, 'stack.json'), 'utf8')) as {
      databaseUrl: string;
    };
    const pool = createPool(databaseUrl, { max: 1 });
    try {
      const { rows: tables } = await pool.query<{ name: string }>(
        "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
      );
      expect(tables.length).toBeGreaterThan(8);
      for (const { name } of tables) {
        const { rows } = await pool.query<{ text: string }>(
          `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`,
        );
        expect(holds(Buffer.from(rows[0].text), [...signalCanaries, ...secrets]), name).toEqual([]);
      }
    } finally {
      await pool.end();
    }
  });

  it('in any Temporal history, nor the description; the job shows its candidates by name, and payloads stay small', async () => {
    const { temporalAddress } = JSON.parse(await readFile(join(folder.path, 'stack.json'), 'utf8')) as {
      temporalAddress: string;
    };
    const connection = await Connection.connect({ address: temporalAddress });
    try {
      const client = new Client({ connection });
      // The operator's interface has payloads decrypted by the endpoint that it was given.
      const [ui] = (await program.says(/Temporal UI\s+(http:\S+)/)).slice(1);
      const { Codec } = (await (await fetch(`${ui}/api/v1/settings`)).json()) as { Codec: { Endpoint: string } };
      const reveal = async (payloads: readonly object[]): Promise<string> => {
        const reply = await fetch(`${Codec.Endpoint}/decode`, {
          method: 'POST',
          headers: { origin: ui },
          body: JSON.stringify({ payloads }),
        });
        const { payloads: plain } = (await reply.json()) as { payloads: { data: string }[] };
        return plain.map(({ data }) => Buffer.from(data, 'base64').toString('latin1')).join('\n');
      };
      const seen: string[] = [];
      for await (const { workflowId, runId } of client.workflow.list()) {
        const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
        const payloads: object[] = [];
        JSON.parse(JSON.stringify(history), (_, value: unknown) => {
          if (typeof value === 'object' && value !== null && 'metadata' in value && 'data' in value)
            payloads.push(value);
          return value;
        });
        const text = await reveal(payloads);
        expect(
          holds(Buffer.from(text, 'latin1'), [...signalCanaries, ...secrets, Buffer.from('canary-description')]),
          workflowId,
        ).toEqual([]);
        for (const event of history.events ?? [])
          expect(JSON.stringify(event).length, `${workflowId} event ${String(event.eventId)}`).toBeLessThan(160 * 1024);
        seen.push(`${workflowId} ${text}`);
      }
      const fit = seen.find((each) => each.startsWith(`${immediate.id}/fit/`));
      expect(seen.some((each) => each.startsWith(`${immediate.id} `))).toBe(true);
      expect(fit?.includes('Common spatial patterns')).toBe(true);
    } finally {
      await connection.close();
    }
  });

  it('left in the staging area', async () => {
    expect(await readdir(join(folder.path, 'objects/staged')).catch(() => [])).toEqual([]);
  });
});

interface MethodRow {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly balanced_accuracy: number;
}

describe('a deferred fit', () => {
  it('reports what an immediate create of the same trials reports, from batches in other units and channel orders', () => {
    expect(deferred.status).toBe('active');
    expect(
      Math.abs(deferred.training_report.balanced_accuracy - immediate.training_report.balanced_accuracy),
    ).toBeLessThanOrEqual(0.02);
    const rows = (model: HttpReply['body']): Map<string, MethodRow> =>
      new Map(model.training_report.methods.map((row: MethodRow) => [row.id, row]));
    const [now, later] = [rows(immediate), rows(deferred)];
    expect([...later.values()].filter(({ status }) => status === 'scored').length).toBeGreaterThan(5);
    for (const [method, row] of now) {
      const other = later.get(method)!;
      if (row.status !== 'scored' || other.status === 'scored') continue;
      expect(other.reason, method).toMatch(/stores features only/);
    }
    expect(later.get('csp-lda')!.balanced_accuracy).toBeCloseTo(now.get('csp-lda')!.balanced_accuracy, 2);
  });
});
