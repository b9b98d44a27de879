import { describe, expect, it } from 'vitest';
import { readKnown as known } from '../../api/intake/read-known.ts';
import { scan } from '../../api/intake/scan.ts';
import { intake } from '../../api/intake/intake.ts';
import { base64, channels, nested } from '../support/requests.ts';

const signal = { shape: [1, 3, 80], sampling_rate_hz: 100, units: 'mV', channels };
const xOf = (values: number[][][]): string => base64(values);
const first = xOf(nested(1, 3, 80));
const second = xOf(nested(1, 3, 80).map((trial) => trial.map((row) => row.map((value) => value * 2 + 1))));

/** A body whose `x` stands between its other fields; with blanks after it, one that nobody has sent before. */
const bodyOf = (x: string, fields: object = signal, blank = ''): Uint8Array =>
  new TextEncoder().encode(`{"missing_channels":"nearest","x":${x},${JSON.stringify(fields).slice(1)}${blank}`);
const readKnown = (body: Uint8Array) => known(body, scan(body));
let fresh = 0;
const blank = (): string => ' '.repeat((fresh += 1));
const text = (x: string): string => JSON.stringify(x);
/** Reads what nobody has sent before. */
const readFresh = (x: string, fields?: object) => intake(bodyOf(x, fields, blank()), 'predict');

describe('a body whose fields except x were read before', () => {
  it('is read like any other', () => {
    expect(intake(bodyOf(text(first)), 'predict')).toMatchObject({ ok: true });
    const { hash: _, ...read } = intake(bodyOf(text(second)), 'predict');
    const { hash: __, ...other } = readFresh(text(second));
    expect(readKnown(bodyOf(text(second)))).not.toBeNull();
    expect(read).toEqual(other);
  });

  it('is refused in the same words', () => {
    intake(bodyOf(text(first)), 'predict');
    const infinite = Float32Array.from({ length: 240 }, (_, at) => (at === 7 ? NaN : at));
    const faulty = [
      first.slice(0, 40) + '*' + first.slice(41),
      first.slice(0, 40) + 'é' + first.slice(41),
      first.slice(0, 80),
      '',
      Buffer.from(infinite.buffer).toString('base64'),
      Buffer.alloc(960).toString('base64'),
    ].map(text);
    for (const x of [...faulty, `"${first.slice(0, 40)}\n"`, '"AAAA\\u0041"', '[[[1,2]]]', '7', '"AAAA']) {
      const { hash: _, ...read } = intake(bodyOf(x), 'predict');
      const { hash: __, ...other } = readFresh(x);
      expect(read).toMatchObject({ ok: false });
      expect(read).toEqual(other);
    }
  });

  it('counts as another one if a byte around x differs', () => {
    intake(bodyOf(text(first)), 'predict');
    expect(readKnown(bodyOf(text(first), { ...signal, units: 'uV' }))).toBeNull();
    expect(readKnown(bodyOf(text(first), signal, '\n'))).toBeNull();
  });

  it('is never a refused body, nor one with x in two places or with many bytes around it', () => {
    const twice = (x: string) => bodyOf(text(x), { ...signal, x: first });
    intake(twice(first), 'predict');
    expect(readKnown(twice(second))).toBeNull();
    const refused = { ...signal, unit: 'mV' };
    intake(bodyOf(text(first), refused), 'predict');
    expect(readKnown(bodyOf(text(first), refused))).toBeNull();
    const long = ' '.repeat(20_000);
    expect(intake(bodyOf(text(first), signal, long), 'predict')).toMatchObject({ ok: true });
    expect(readKnown(bodyOf(text(first), signal, long))).toBeNull();
  });

  it('is recognised if it is large, too, but not if x is lists of numbers', () => {
    const large = { ...signal, shape: [1, 3, 8_000] };
    const x = xOf(nested(1, 3, 8_000));
    expect(intake(bodyOf(text(x), large), 'predict')).toMatchObject({ ok: true });
    expect(readKnown(bodyOf(text(x), large))).not.toBeNull();
    const lists = JSON.stringify(nested(1, 3, 8_000));
    expect(intake(bodyOf(lists, large), 'predict')).toMatchObject({ ok: true });
    expect(readKnown(bodyOf(lists, large))).toBeNull();
    expect(intake(bodyOf(text(x.replace(/./g, ',')), large), 'predict')).toMatchObject({ ok: false });
  });

  it('has a hash if the caller needs it', () => {
    const body = bodyOf(text(first));
    const { hash } = intake(body, 'predict');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(intake(body, 'predict')).toMatchObject({ hash });
    expect(intake(body, 'predict', new Date(), undefined, false)).toMatchObject({ ok: true, hash: '' });
  });
});
