import { describe, expect, it } from 'vitest';
import { electrodeNames } from '../../ml/channels/index.ts';
import { intake } from '../../api/intake/intake.ts';
import { bytesOf, createBody, labels } from '../support/requests.ts';

describe('a body of the largest size', () => {
  const [trials, rows, samples] = [80, 50, 1000];
  const body = createBody({
    sampling_rate_hz: 256,
    channels: electrodeNames.slice(0, rows),
    labels: Array.from({ length: trials }, (_, t) => String(t % 2)),
  });

  it('of nested lists, four million numbers in 64 MiB, is read within seconds', () => {
    // No two rows are alike: each begins one number later in the same waveform.
    const numbers = Array.from({ length: trials * rows + samples }, (_, s) => (50 * Math.sin(s / 7)).toPrecision(15));
    const row = (t: number, c: number) => `[${numbers.slice(t * rows + c, t * rows + c + samples).join(',')}]`;
    const trial = (t: number) => `[${Array.from({ length: rows }, (_, c) => row(t, c)).join(',')}]`;
    const x = `[${Array.from({ length: trials }, (_, t) => trial(t)).join(',')}]`;
    const bytes = bytesOf(`${JSON.stringify({ ...body, x: undefined }).slice(0, -1)},"x":${x}}`);
    expect(bytes.length).toBeGreaterThan(60 * 1024 * 1024);
    const started = performance.now();
    const read = intake(bytes, 'create');
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(read.ok ? null : read.error).toBeNull();
  });

  it('of four million numbers in base64 is read within seconds', () => {
    const bytes = bytesOf({ ...body, x: Buffer.alloc(16_000_000).toString('base64'), shape: [trials, rows, samples] });
    const started = performance.now();
    const read = intake(bytes, 'create');
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(read.ok ? null : read.error).toBeNull();
  });

  it('of four million numbers at a high rate is resampled exactly', () => {
    const bytes = bytesOf(
      createBody({
        x: Buffer.alloc(16_000_000).toString('base64'),
        shape: [10, 4, 100_000],
        sampling_rate_hz: 25_600,
        channels: ['C3', 'Cz', 'C4', 'Pz'],
        labels: labels.slice(0, 10),
      }),
    );
    const read = intake(bytes, 'create');
    expect(read.ok ? read.trials!.samples : read.error).toBe(1000);
  });
});
