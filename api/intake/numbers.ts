import { showValue } from '../contract/read-envelope.ts';
import { readBase64 } from './base64.ts';
import { readNested } from './nested.ts';
import type { Numbers, NumbersInput } from './shape.ts';

/** Reads `x` in either form (spec, "Trial array x"). */
export function readNumbers(input: NumbersInput): Numbers {
  const { x } = input;
  if (Array.isArray(x)) return readNested(x, input);
  if (typeof x === 'string') return readBase64(x, input);
  const message =
    x === undefined
      ? 'x is required: trials × channels × samples.'
      : `x must be nested lists or a base64 string; received ${showValue(x)}.`;
  return { shape: null, data: null, problems: [{ field: 'x', message }] };
}
