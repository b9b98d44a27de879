import { count } from '../../infra/contract/quote.ts';
import { tooLarge, type Numbers, type NumbersInput, type Shape } from './shape.ts';
import { littleEndian, looksLikeFloat32, magnitudesOf, otherNumberType } from './number-type.ts';
import { times, type Problem } from './problems.ts';

const listedFaults = 50;
const fault = (field: string, message: string, alternatives?: readonly unknown[]): Problem => ({
  field,
  message,
  ...(alternatives ? { alternatives } : {}),
});

/** Non-Latin-1 characters. A text that V8 stores in single bytes is not searched. */
const wide = /[\u0100-\uffff]/;

/**
 * Whether a text that decoded to the expected number of bytes is base64. Node's decoder skips unknown characters, which
 * leaves fewer bytes. But it accepts '-' for '+' and '_' for '/', and takes the lower byte of a wide character.
 */
const isOnlyBase64 = (text: string): boolean => !text.includes('-') && !text.includes('_') && !wide.test(text);

/** Decodes a strict base64 string (standard alphabet, padding optional), or says what is wrong with it. */
function decode(text: string): Uint8Array<ArrayBuffer> | Problem {
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const isWhole = end % 4 !== 1 && (end === text.length || text.length % 4 === 0);
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  const written = Buffer.from(bytes.buffer).write(text, 'base64');
  if (isWhole && written === bytes.length && isOnlyBase64(text)) return bytes;
  const wrong = text.slice(0, end).search(/[^A-Za-z0-9+/]/);
  if (wrong >= 0) {
    const character = JSON.stringify(String.fromCodePoint(text.codePointAt(wrong)!));
    return fault(
      'x',
      `x is not base64: character ${count(wrong)} is ${character}. Use the standard alphabet (A–Z, a–z, 0–9, ` +
        '+, /) without line breaks or a prefix.',
    );
  }
  return fault('x', `x is not base64: ${count(text.length)} characters are not a whole number of bytes.`);
}

/** The only shape that fits the other fields and the number of values, if the values are float32. */
function impliedShape(bytes: Uint8Array<ArrayBuffer>, { channels, labels }: NumbersInput): Shape | null {
  const values = bytes.length / 4;
  if (!channels || !labels || values % (channels * labels) !== 0 || values === 0) return null;
  return looksLikeFloat32(bytes) ? [labels, channels, values / (channels * labels)] : null;
}

/** The probable type of bytes that are not the expected float32 values. */
function otherType(bytes: Uint8Array<ArrayBuffer>, expected: number | null): string {
  const types: Readonly<Record<number, string>> = { 2: 'float64', 0.5: 'int16 or float16' };
  const type = expected === null ? undefined : types[bytes.length / expected];
  if (type) return ` These bytes are the values of that shape as ${type}; send them as float32.`;
  const other = otherNumberType(bytes);
  return other === null
    ? ''
    : ` These bytes read well as ${other} and not as little-endian float32; send the values as that.`;
}

/** Reads base64 of little-endian float32 values with `shape` (spec, "Trial array x"). The result is in microvolts. */
export function readBase64(x: string, input: NumbersInput): Numbers {
  const large = input.shape && tooLarge(input.shape);
  if (large) return { shape: input.shape, data: null, problems: [large] };
  const none = (...problems: Problem[]): Numbers => ({ shape: input.shape, data: null, problems });
  if (x === '') return none(fault('x', 'x is an empty string; send base64 of little-endian float32 values.'));
  const bytes = decode(x);
  if (!(bytes instanceof Uint8Array)) return none(bytes);
  const values = Math.floor(bytes.length / 4);
  const impliedHere = (): Shape | null => (bytes.length % 4 === 0 ? impliedShape(bytes, input) : null);
  if (!input.shape) {
    const implied = impliedHere();
    return none(
      fault(
        'shape',
        `shape is required with a base64 x: [trials, channels, samples]. x holds ${count(bytes.length)} ` +
          `bytes = ${count(values)} float32 values.${otherType(bytes, null)}`,
        implied ? [implied] : undefined,
      ),
    );
  }
  const [trials, channels, samples] = input.shape;
  const expected = trials * channels * samples * 4;
  if (bytes.length !== expected) {
    const type = otherType(bytes, expected);
    const implied = type ? null : impliedHere();
    return none(
      fault(
        'x',
        `x holds ${count(bytes.length)} bytes; shape ${times(input.shape)} of float32 needs ` +
          `${count(expected)} bytes (received ${count(values)} of ${count(expected / 4)} values).${type}`,
        implied ? [{ shape: implied }] : undefined,
      ),
    );
  }
  const data = littleEndian(bytes);
  const { areRecorded, bound } = magnitudesOf(data);
  const wrongType = areRecorded ? '' : otherType(bytes, null);
  if (wrongType) return none(fault('x', `x does not hold float32 values.${wrongType}`));
  const faults = isFiniteAt(bound, input.scale) ? [] : faultsOf(data, input.shape, input.scale);
  if (faults.length > 0) return none(...faults);
  if (input.scale !== 1) for (let at = 0; at < data.length; at++) data[at] *= input.scale;
  return { shape: input.shape, data, problems: [] };
}

/** Whether a value is a finite number of microvolts. */
const isFiniteAt = (value: number, scale: number): boolean => Number.isFinite(Math.fround(value * scale));

/** What is wrong with the values that are not finite in microvolts. */
function faultsOf(data: Float32Array, [, channels, samples]: Shape, scale: number): Problem[] {
  const problems: Problem[] = [];
  let faults = 0;
  for (let at = 0; at < data.length; at++) {
    if (isFiniteAt(data[at], scale)) continue;
    faults += 1;
    if (faults > listedFaults) continue;
    const field = `x[${Math.floor(at / (channels * samples))}][${Math.floor(at / samples) % channels}][${at % samples}]`;
    problems.push(
      fault(
        field,
        `${field} is ` +
          `${data[at]}${Number.isFinite(data[at]) ? ', beyond what float32 holds in microvolts' : ''}; ` +
          'every value must be a finite number.',
      ),
    );
  }
  if (faults > listedFaults)
    problems.push(fault('x', `x has ${count(faults)} such faults; the first ${listedFaults} are listed.`));
  return problems;
}
