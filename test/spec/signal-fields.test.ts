import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, newKey, send, startTestApi, type TestApi } from '../support/api.ts';
import { channels, createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let key: string;
let url: string;
const path = '/v1/task-models';
const x = nested();
const { description: _description, labels: _labels, ...signal } = createBody();
const post = (to: string, body: unknown) => send(api.app, key, 'POST', to, body);
const predict = async (change: Record<string, unknown>) => {
  const reply = await post(url, { ...signal, ...change });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const probabilities = (body: any): Record<string, number>[] => body.data.map((row: any) => row.probabilities);

beforeAll(async () => {
  api = await startTestApi();
  key = (await newKey(api.database, (await newAccount(api.database)).accountId, { mode: 'test' })).key;
  url = `${path}/${(await post(path, createBody())).body.id}/predictions`;
});
afterAll(() => api.close());

describe('the signal fields', () => {
  it('units: the same signal in volts and microvolts has the same answer', async () => {
    const volts = x.map((trial) => trial.map((row) => row.map((value) => value * 1e-6)));
    const [a, b] = [probabilities(await predict({})), probabilities(await predict({ x: volts, units: 'V' }))];
    a.forEach((row, i) => expect(b[i].left).toBeCloseTo(row.left, 4));
  });

  it('shape: nested lists and base64 float32 of the same numbers have the same answer', async () => {
    const packed = Buffer.from(new Float32Array(x.flat(2)).buffer).toString('base64');
    expect(probabilities(await predict({ x: packed, shape: [12, 3, 80] }))).toEqual(probabilities(await predict({})));
  });

  it('sampling_rate_hz: the answer says what was resampled', async () => {
    expect((await predict({})).signal).toMatchObject({
      sampling_rate_hz: 100,
      resampled_to_hz: 256,
      samples_per_trial: 80,
      seconds_per_trial: 0.8,
    });
  });

  it('channels: a name in another spelling is matched, and the answer says so', async () => {
    const reply = await predict({ channels: ['c3', 'CZ', 'C4'] });
    expect(reply.signal.renamed_channels).toEqual({ c3: 'C3', CZ: 'Cz' });
    expect(probabilities(reply)).toEqual(probabilities(await predict({})));
  });

  it('align: "batch" recentres the trials of a request, "none" does not', async () => {
    const alone = probabilities(await predict({ x: x.slice(0, 6) }));
    expect(alone).toEqual(probabilities(await predict({})).slice(0, 6));
    const together = probabilities(await predict({ x: x.slice(0, 6), align: 'batch' }));
    expect(together).not.toEqual(probabilities(await predict({ align: 'batch' })).slice(0, 6));
  });

  it('normalization_context: with align batch each recording is recentred by itself', async () => {
    const session_id = labels.map((_, trial) => (trial < 6 ? 'monday' : 'friday'));
    const grouped = probabilities(await predict({ align: 'batch', normalization_context: { session_id } }));
    const [first, second] = [
      await predict({ align: 'batch', x: x.slice(0, 6) }),
      await predict({ align: 'batch', x: x.slice(6) }),
    ];
    expect(grouped).toEqual([...probabilities(first), ...probabilities(second)]);
    expect(grouped).not.toEqual(probabilities(await predict({ align: 'batch' })));
  });

  it('session: one name for the whole batch is one recording', async () => {
    expect(probabilities(await predict({ align: 'batch', session: 'monday' }))).toEqual(
      probabilities(await predict({ align: 'batch' })),
    );
  });

  it('stride_seconds: longer trials are read in windows of the fitted length, that far apart, and averaged', async () => {
    const long = x.map((trial) =>
      trial.map((row) => [...row, ...row.map((value) => -2 * value), ...row.map((value) => value / 3)]),
    );
    const apart = probabilities(await predict({ x: long }));
    const dense = probabilities(await predict({ x: long, stride_seconds: 0.2 }));
    expect(dense).not.toEqual(apart);
    for (const row of [...apart, ...dense]) expect(row.left + row.right).toBeCloseTo(1, 12);
    const tiny = await post(url, { ...signal, x: nested(100, 3, 4_000), stride_seconds: 0.001 });
    expect([tiny.status, tiny.body.field]).toEqual([422, 'stride_seconds']);
    expect((await post(url, { ...signal, x: nested(100, 3, 4_000), ...tiny.body.alternatives[0] })).status).toBe(200);
  });

  it('stride_seconds: creates and deferred batches take it too, however small', async () => {
    const long = { x: nested(12, 3, 600), defer_fit: true };
    const fitted = await post(path, createBody({ ...long, stride_seconds: 0.001 }));
    expect(fitted.status, fitted.text).toBe(201);
    expect(
      (await post(`${path}/${fitted.body.id}/trials`, { ...signal, x: nested(12, 3, 600), labels, stride_seconds: 1 }))
        .status,
    ).toBe(200);
    expect((await post(`${path}/${fitted.body.id}/fit`, {})).status).toBe(200);
  });

  it('sessions: with two or more, whole sessions are held out, and the report says so', async () => {
    const report = async (sessions: string[] | null) =>
      (await post(path, createBody({ sessions }))).body.training_report;
    const held = await report(labels.map((_, trial) => (trial < 6 ? 'one' : 'two')));
    const mixed = await report(null);
    expect(JSON.stringify(held)).not.toEqual(JSON.stringify(mixed));
    expect(JSON.stringify(held)).toMatch(/session/i);
  });

  it('positions, position_frame, missing_channels and parameters are read and checked', async () => {
    const positions = channels.map((_, row) => [(row - 1) * 0.05, 0, 0.1]);
    await predict({ positions, position_frame: 'mni', missing_channels: 'reject', parameters: {} });
    for (const [field, value] of [
      ['positions', [[0, 0, 0]]],
      ['position_frame', 'table'],
      ['missing_channels', 'maybe'],
      ['parameters', { depth: 1 }],
    ] as const) {
      const reply = await post(url, { ...signal, [field]: value });
      expect([reply.status, reply.body.field.split('.')[0]]).toEqual([422, field]);
    }
  });

  it('missing_channels: with reject, methods of 19 fixed sites are skipped, and the report names the missing sites', async () => {
    const report = async (missing_channels: string) =>
      JSON.stringify((await post(path, createBody({ missing_channels }))).body.training_report);
    expect(await report('nearest')).not.toContain('fixed sites');
    expect(await report('reject')).toMatch(
      /16 of them are not among the 3 channels supplied \(Fp1, Fp2, .* and 8 more\)/,
    );
  });

  it('missing_channels: a deferred model remembers it until the fit', async () => {
    const {
      body: { id },
    } = await post(path, createBody({ defer_fit: true, missing_channels: 'reject' }));
    const fitted = await post(`${path}/${id}/fit`, {});
    expect(fitted.status, fitted.text).toBe(200);
    expect(JSON.stringify(fitted.body.training_report)).toMatch(
      /fixed-sites-logistic.*16 of them are not among the 3 channels/,
    );
  });

  it('positions and position_frame: selection reads the sites that electrodes at these places can feed', async () => {
    const occipital = [
      [0, -0.11, 0.04],
      [0.03, -0.11, 0.04],
      [-0.03, -0.11, 0.04],
    ];
    const reason = async (change: object) =>
      (await post(path, createBody({ dry_run: true, channels: ['AF3', 'AFz', 'AF4'], ...change }))).body.skipped.find(
        ({ id }: any) => id === 'fixed-sites-logistic',
      )?.reason;
    expect(await reason({})).toBeUndefined();
    const far = occipital.map(([x, y]) => [x! * 2, y! * 2, -0.1]);
    expect(await reason({ positions: far })).toMatch(
      /needs 2 of them; 0 can be fed from the 3 channels supplied.*within 60 mm/,
    );
  });

  it('normalization_context: recordings are recentred by themselves in the fit, without holding them out', async () => {
    const session_id = labels.map((_, trial) => (trial % 4 < 2 ? 'monday' : 'friday'));
    const plan = async (change: object) => (await post(path, createBody({ dry_run: true, ...change }))).body;
    const ids = (body: any) => body.candidates.map(({ id }: any) => id);
    expect(ids(await plan({}))).not.toContain('tangent-logistic-recentred');
    expect(ids(await plan({ normalization_context: { session_id } }))).toContain('tangent-logistic-recentred');
  });

  it('trials shorter than the fitted ones are refused with both lengths', async () => {
    const reply = await post(url, { ...signal, x: nested(12, 3, 40) });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', 'x']);
    expect(reply.body.message).toMatch(/0\.4 s.*0\.8 s/);
  });
});
