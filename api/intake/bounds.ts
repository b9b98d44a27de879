import { count } from '../../infra/contract/quote.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { Problem } from './problems.ts';
import { nameIn, type Maximum, type Scan, type XScan } from './scan.ts';
import { tooManyTrials } from './shape.ts';

/**
 * Limits on what is parsed from a body, so that parsing takes little memory. All are well above the limits of the
 * interface. A value between the two is rejected by the field's own rule, together with all other failing fields.
 */
const maximum = {
  fields: 1_000,
  nameBytes: 1_000,
  /** Levels of nesting in any field. */
  depth: 8,
  /** Lists, objects and their entries in all fields except `x`. */
  values: 200_000,
  /** Bytes of one text: the longest valid text has 200 characters, each of up to 12 bytes (`\ud83e\udde0`). */
  textBytes: 16_384,
  trials: 100_000,
  /** Base64 of the maximal number of float32 values, each character escaped. */
  base64Bytes: 2 * 4 * Math.ceil((limits.numbersPerRequest * 4) / 3),
};

/** Characters that the texts of a field may have; 200 in all other fields. */
const characters: Readonly<Record<string, number>> = {
  description: limits.descriptionCharacters,
  name: limits.nameCharacters,
};

const deep = (field: string, depth: number): Problem => ({
  field,
  message: `${field} is nested ${count(depth)} deep; ${
    field === 'x' ? 'it must be nested three deep: trials × channels × samples' : `at most ${maximum.depth} is read`
  }.`,
});

function problemsOfX({ depth, trials, rows, numbers, text, innerText }: XScan): Problem[] {
  if (depth > maximum.depth) return [deep('x', depth)];
  const problems: Problem[] = [];
  const numbersAllowed = `at most ${count(limits.numbersPerRequest)} numbers are allowed in one request`;
  if (numbers > limits.numbersPerRequest)
    problems.push({
      field: 'x',
      code: 'PAYLOAD_TOO_LARGE',
      message:
        `x has ${count(numbers)} entries in its rows; ${numbersAllowed}. Send fewer trials at a time ` +
        '(with `defer_fit` over several requests), or shorter ones.',
    });
  else if (rows > limits.numbersPerRequest)
    problems.push({ field: 'x', message: `x has ${count(rows)} rows in its trials; ${numbersAllowed}.` });
  if (text > maximum.base64Bytes)
    problems.push({
      field: 'x',
      code: 'PAYLOAD_TOO_LARGE',
      message: `x is a text of ${count(text)} bytes, ${count(Math.floor((text * 3) / 16))} float32 values in base64; ${numbersAllowed}.`,
    });
  if (trials > maximum.trials) problems.push(tooManyTrials(trials));
  if (innerText > maximum.textBytes)
    problems.push({
      field: 'x',
      message: `x holds a text of ${count(innerText)} bytes; every value must be a finite number.`,
    });
  return problems;
}

/** What is too large to be parsed, with the numbers. `bytes`: the body that was scanned. */
export function boundProblems({ fields, name, values, depth, text, total, x }: Scan, bytes: Uint8Array): Problem[] {
  const fieldOf = ({ key }: Maximum): string => (key ? nameIn(bytes, key) : 'body');
  const problems = problemsOfX(x);
  const body = (message: string): void => void problems.push({ field: 'body', message });
  if (fields > maximum.fields) body(`The body has ${count(fields)} fields; at most ${count(maximum.fields)} are read.`);
  if (name > maximum.nameBytes) body(`The body has a field whose name has ${count(name)} bytes.`);
  if (depth.amount > maximum.depth) problems.push(deep(fieldOf(depth), depth.amount));
  if (text.amount > maximum.textBytes) {
    const field = fieldOf(text);
    problems.push({
      field,
      message:
        `${field} holds a text of ${count(text.amount)} bytes; at most ` +
        `${(Object.hasOwn(characters, field) && characters[field]) || limits.labelCharacters} characters are allowed.`,
    });
  }
  if (total > maximum.values) {
    const field = fieldOf(values);
    problems.push({
      field,
      message:
        `${field} holds ${count(values.amount)} values; a list has at most ${count(limits.windowsPerRequest)} ` +
        `entries, and all fields but x together at most ${count(maximum.values)}.`,
    });
  }
  return problems;
}
