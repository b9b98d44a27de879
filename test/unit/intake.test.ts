import { describe, expect, it } from 'vitest';
import { intake, type IntakeAccepted } from '../../api/intake/intake.ts';
import { headPositionOf, positionOf } from '../../ml/channels/index.ts';
import { base64, bytesOf, channels, createBody, labels, nested } from '../support/requests.ts';

function accepted(body: unknown, what: 'create' | 'batch' | 'predict' = 'create'): IntakeAccepted {
  const read = intake(bytesOf(body), what);
  if (!read.ok) throw new Error(read.error.message);
  return read;
}
const without = (body: Record<string, unknown>, ...fields: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
const predictBody = (change: Record<string, unknown> = {}) => ({
  ...without(createBody(), 'labels', 'description'),
  ...change,
});
const batchBody = (change: Record<string, unknown> = {}) => ({ ...without(createBody(), 'description'), ...change });

describe('an accepted body', () => {
  it('gives trials in microvolts at 256 Hz with canonical names, and a report of the changes', () => {
    const { trials, signal, windows } = accepted(createBody({ channels: ['t3', 'CZ', 'C4'] }));
    expect(trials).toMatchObject({
      trials: 12,
      channels: 3,
      samples: 205,
      rateHz: 256,
      sourceRateHz: 100,
      channelNames: ['T7', 'Cz', 'C4'],
    });
    expect(trials!.data).toHaveLength(12 * 3 * 205);
    expect(signal).toMatchObject({
      sampling_rate_hz: 100,
      resampled_to_hz: 256,
      trials: 12,
      channels: 3,
      samples_per_trial: 80,
      seconds_per_trial: 0.8,
      units: 'uV',
      renamed_channels: { t3: 'T7', CZ: 'Cz' },
    });
    expect(windows).toBe(12);
  });

  it('reads base64 and nested lists to the same numbers', () => {
    const lists = accepted(createBody()).trials!.data;
    const text = accepted(createBody({ x: base64(nested()), shape: [12, 3, 80] })).trials!.data;
    expect(text).toEqual(lists);
  });

  it('reads base64 without padding', () => {
    const x = nested(12, 3, 81);
    const text = base64(x).replace(/=+$/, '');
    expect(accepted(createBody({ x: text, shape: [12, 3, 81] })).trials!.data).toEqual(
      accepted(createBody({ x })).trials!.data,
    );
  });

  it('keeps the numbers as they are at 256 Hz', () => {
    const { trials } = accepted(createBody({ sampling_rate_hz: 256 }));
    expect(trials!.data).toEqual(Float32Array.from(nested().flat(2)));
  });

  it.each([
    ['mV', 1e3],
    ['V', 1e6],
  ])('brings %s to microvolts', (units, scale) => {
    const x = nested().map((trial) => trial.map((row) => row.map((value) => value / scale)));
    const { trials } = accepted(createBody({ x, units, sampling_rate_hz: 256 }));
    nested()
      .flat(2)
      .forEach((value, at) => expect(trials!.data[at]).toBeCloseTo(value, 4));
  });

  it('fills the defaults and leaves x out of the envelope', () => {
    const { envelope } = accepted(createBody());
    expect(envelope).toMatchObject({
      defer_fit: false,
      dry_run: false,
      missing_channels: 'nearest',
      position_frame: 'head',
      parameters: {},
      stride_seconds: null,
    });
    expect(envelope).not.toHaveProperty('x');
  });

  it('counts a trial once per whole four seconds, at least once', () => {
    const of = (samples: number) =>
      accepted(createBody({ x: nested(12, 1, samples), channels: ['Cz'], sampling_rate_hz: 10 })).windows / 12;
    expect([39, 40, 79, 80, 120].map(of)).toEqual([1, 1, 1, 2, 3]);
  });

  it('has a hash that changes with any byte', () => {
    const text = JSON.stringify(createBody());
    expect(accepted(text).hash).toBe(accepted(text).hash);
    expect(accepted(text).hash).not.toBe(accepted(text.replace('left hand', 'left palm')).hash);
    expect(accepted(text).hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('accepts 4,096 trials exactly', () => {
    const many = Array.from({ length: 4096 }, (_, trial) => String(trial % 2));
    expect(accepted(createBody({ x: nested(4096, 1, 2), channels: ['Cz'], labels: many })).windows).toBe(4096);
  });

  it('reads a date-time without an offset as UTC, as Python writes one, and says so', () => {
    const of = (expires_at: string) => accepted(createBody({ expires_at })).signal!.warnings.join();
    expect(of('2999-01-31T12:00:00.123456')).toContain('read as UTC: 2999-01-31T12:00:00.123Z');
    for (const clear of ['2999-01-31', '2999-01-31T12:00:00Z', '2999-01-31T12:00:00+02:00'])
      expect(of(clear)).not.toContain('UTC');
    expect(of(`2999-01-31T12:00:00.${'1'.repeat(150)}`).length).toBeLessThan(250);
  });

  it('warns of labels that differ only in case or blanks', () => {
    const mixed = Array.from({ length: 12 }, (_, trial) => (trial % 2 ? 'Left' : 'left '));
    expect(accepted(createBody({ labels: mixed })).signal!.warnings.join()).toContain('differ only in case or blanks');
  });
});

describe('limits after resampling', () => {
  it('refuses trials that grow beyond 4,000,000 numbers at 256 Hz, with both counts', () => {
    const read = intake(
      bytesOf(
        createBody({
          x: Buffer.alloc(8_000_000).toString('base64'),
          shape: [10, 2, 100_000],
          sampling_rate_hz: 100,
          channels: ['C3', 'C4'],
          labels: labels.slice(0, 10),
        }),
      ),
      'create',
    );
    expect(read).toMatchObject({ ok: false, error: { code: 'PAYLOAD_TOO_LARGE', field: 'x' } });
    for (const words of ['2,000,000', '100 Hz', '5,120,000', '4,000,000'])
      expect(!read.ok && read.error.message).toContain(words);
  });

  it('counts long trials as several windows', () => {
    const read = intake(
      bytesOf(
        createBody({
          x: nested(210, 1, 80),
          channels: ['Cz'],
          sampling_rate_hz: 1,
          labels: Array.from({ length: 210 }, (_, t) => String(t % 2)),
        }),
      ),
      'create',
    );
    expect(!read.ok && read.error.details.errors.map(({ message }) => message).join()).toContain(
      '4,200 four-second windows',
    );
  });
});

describe('the three routes', () => {
  it('lets a deferred create and a batch have few trials per class', () => {
    const few = { labels: labels.map(() => 'left') };
    expect(accepted(createBody({ ...few, defer_fit: true })).ok).toBe(true);
    expect(accepted(batchBody(few), 'batch').ok).toBe(true);
  });

  it('takes no labels in a prediction and no description in a batch', () => {
    expect(accepted(predictBody({ align: 'batch' }), 'predict').envelope).toMatchObject({ align: 'batch' });
    expect(intake(bytesOf(predictBody({ labels })), 'predict')).toMatchObject({
      ok: false,
      error: { field: 'labels' },
    });
    expect(intake(bytesOf(batchBody({ description: 'x' })), 'batch')).toMatchObject({
      ok: false,
      error: { field: 'description' },
    });
  });

  it('takes one trial in a prediction', () => {
    expect(accepted(predictBody({ x: nested(1) }), 'predict').trials!.trials).toBe(1);
  });

  it('reads a zero-shot request without trials', () => {
    const body = {
      mode: 'zero_shot',
      description: 'eyes closed or open',
      channels: ['o1', 'O2'],
      sampling_rate_hz: 250,
      trial_seconds: 4,
    };
    expect(accepted(body)).toMatchObject({ trials: null, windows: 0, channelNames: ['O1', 'O2'] });
    expect(intake(bytesOf({ ...body, x: nested() }), 'create')).toMatchObject({ ok: false, error: { field: 'x' } });
  });
});

describe('signal fields', () => {
  it('carries positions to the trials in the head frame', () => {
    const mni = channels.map((name) => [...positionOf(name)!]);
    const { trials } = accepted(createBody({ positions: mni, position_frame: 'mni' }));
    trials!.positions!.forEach((position, row) =>
      position.forEach((value, axis) => expect(value).toBeCloseTo(headPositionOf(channels[row])![axis], 9)),
    );
    expect(accepted(createBody({ positions: mni })).trials!.positions).toEqual(mni);
    expect(accepted(createBody()).trials!.positions).toBeUndefined();
  });

  it('names the session of every trial by session or sessions', () => {
    expect(accepted(createBody({ session: 'a' })).sessions).toEqual(labels.map(() => 'a'));
    const sessions = labels.map((_, trial) => `run ${trial % 3}`);
    expect(accepted(createBody({ sessions })).sessions).toEqual(sessions);
    expect(accepted(createBody()).sessions).toBeNull();
  });

  it('groups trials into recordings by normalization_context, else by session', () => {
    const subject_uid = labels.map((_, trial) => (trial < 6 ? 's1' : null));
    const session_id = labels.map((_, trial) => (trial % 2 ? 'a' : 'b'));
    const grouped = accepted(createBody({ normalization_context: { subject_uid, session_id }, session: 'z' }));
    expect([...grouped.recordings!]).toEqual([0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3]);
    expect([...accepted(createBody({ session: 'z' })).recordings!]).toEqual(labels.map(() => 0));
    expect(accepted(createBody()).recordings).toBeNull();
  });
});
