import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulateRecording } from '../../infra/demo/simulated.ts';
import { takeTrials, type DemoTrials } from '../../infra/recordings/trials.ts';
import { adminKey, newDataDir, runMain, type Program } from '../support/stack.ts';

interface MethodRow {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly balanced_accuracy: number;
}

const { trials: recording, description } = simulateRecording();
const trials = takeTrials(
  recording,
  Array.from({ length: 48 }, (_, row) => row),
);
let folder: Awaited<ReturnType<typeof newDataDir>>;
let stack: Program;
let url: string;
let key: string;

beforeAll(async () => {
  folder = await newDataDir();
  stack = runMain('start', [], { DATA_DIR: folder.path });
  url = (await stack.says(/API\s+(http:\S+)/))[1];
  ({ key } = await adminKey(folder.path));
});
afterAll(async () => {
  await stack?.interrupt();
  await folder?.remove();
});

async function post(path: string, body: object): Promise<any> {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await reply.json();
  expect(reply.ok, JSON.stringify(answer).slice(0, 500)).toBe(true);
  return answer;
}

/** The signal fields of a request; `form` changes how the same signal is written. */
function signal(part: DemoTrials, form: { millivolts?: boolean; reversed?: boolean } = {}): object {
  const {
    samples,
    channels: { length: rows },
  } = part;
  const from = part.channels.map((_, c) => (form.reversed ? rows - 1 - c : c));
  const scale = form.millivolts ? 1e-3 : 1;
  const x = Float32Array.from(part.x, (_, at) => {
    const [trial, row, sample] = [Math.floor(at / (rows * samples)), Math.floor(at / samples) % rows, at % samples];
    return part.x[(trial * rows + from[row]) * samples + sample] * scale;
  });
  return {
    x: Buffer.from(x.buffer).toString('base64'),
    shape: [part.labels.length, rows, samples],
    sampling_rate_hz: part.rateHz,
    units: form.millivolts ? 'mV' : 'uV',
    channels: from.map((c) => part.channels[c]),
    labels: part.labels,
    sessions: part.sessions,
  };
}

describe('a deferred fit', () => {
  it('reports what an immediate create of the same trials reports, from batches in other units and channel orders', async () => {
    const immediate = await post('/v1/task-models', { ...signal(trials), description });
    const part = (k: number): DemoTrials =>
      takeTrials(
        trials,
        Array.from({ length: 16 }, (_, row) => 16 * k + row),
      );
    const { id } = await post('/v1/task-models', { ...signal(part(0)), description, defer_fit: true });
    await post(`/v1/task-models/${id}/trials`, signal(part(1), { millivolts: true }));
    await post(`/v1/task-models/${id}/trials`, signal(part(2), { reversed: true }));
    const deferred = await post(`/v1/task-models/${id}/fit`, {});

    expect(deferred.status).toBe('active');
    expect(
      Math.abs(deferred.training_report.balanced_accuracy - immediate.training_report.balanced_accuracy),
    ).toBeLessThanOrEqual(0.02);
    const rows = (model: any): Map<string, MethodRow> =>
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
