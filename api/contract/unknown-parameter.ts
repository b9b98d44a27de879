import { z } from 'zod';
import type { FieldError } from '../../infra/contract/errors.ts';
import { nearestOf } from './nearest.ts';
import { createRequest } from './requests.ts';

type Fields = Readonly<Record<string, z.core.$ZodType>>;
type Shape = Readonly<Record<string, z.ZodType>>;

/** The names that `parameters` may contain in a request with these fields. */
export function parametersOf({ parameters }: Fields): Shape {
  let inner = parameters;
  for (;;)
    if (inner instanceof z.ZodPipe) inner = inner.in;
    else if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
    else break;
  return inner instanceof z.ZodObject ? (inner.shape as Shape) : {};
}

const ofCreates = parametersOf(createRequest.shape);
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');

/**
 * The error for an unknown parameter. The fix contains the known parameters that are valid. For a misspelt
 * parameter the fix uses the correct name; if its value is not valid under that name, there is no fix.
 */
export function unknownParameter(field: string, name: string, sent: object, fields: Fields): FieldError {
  const shape = parametersOf(fields);
  const known = Object.keys(shape);
  const valid = Object.fromEntries(
    known.flatMap((key) => {
      const value: unknown = (sent as Record<string, unknown>)[key];
      return Object.hasOwn(sent, key) && shape[key].safeParse(value).success ? [[key, value]] : [];
    }),
  );
  const near = nearestOf(name, known);
  if (near !== undefined) {
    const value: unknown = (sent as Record<string, unknown>)[name];
    const moves = !Object.hasOwn(sent, near) && shape[near].safeParse(value).success;
    return {
      field,
      message: `${field}: is no parameter of this request. The nearest is \`${near}\`.`,
      ...(moves ? { alternatives: [{ parameters: { ...valid, [near]: value } }] } : {}),
    };
  }
  return {
    field,
    message:
      `${field}: is no parameter of this request` +
      (known.length > 0
        ? `, whose parameters are ${listed(known)}.`
        : Object.hasOwn(ofCreates, name)
          ? ', which takes none: it goes with the create, and holds for what follows.'
          : ', which takes none; send {}.'),
    alternatives: [{ parameters: valid }],
  };
}
