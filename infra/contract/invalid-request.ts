import { ApiError, type Change, type FieldError } from './errors.ts';

/** The first failing field's message, and how many more there are. */
export function summaryOf(errors: readonly FieldError[]): string {
  const others = errors.length - 1;
  if (others === 0) return errors[0].message;
  return `${errors[0].message} (${others} more failing ${others === 1 ? 'field is' : 'fields are'} listed in details.errors.)`;
}

/** An answer lists this many failing fields, of this many characters of JSON in all, and counts the others. */
const listed = { errors: 200, characters: 256 * 1024, alternatives: 48 * 1024 };

export const isChange = (fix: unknown): fix is Change => typeof fix === 'object' && fix !== null && !Array.isArray(fix);

/** Name of a field that is not part of a list or of another field. */
const isWhole = (field: string): boolean => field !== '' && !/[.[\]]/.test(field);

/**
 * Fixes as changes of the request, if they are small enough for a response. The value of a whole field becomes
 * `{field: value}`. A value inside a field is left out: `sureFixes` makes a change of it from the body.
 */
export function answerable(field: string, alternatives: readonly unknown[] = []): readonly Change[] {
  const changes = alternatives.flatMap((fix) => (isChange(fix) ? [fix] : isWhole(field) ? [{ [field]: fix }] : []));
  return JSON.stringify(changes).length <= listed.alternatives ? changes : [];
}

/** A failing field in a response, without the parts that only the service uses. */
const answered = ({ field, message, alternatives }: FieldError): FieldError => ({
  field,
  message,
  ...(alternatives ? { alternatives: answerable(field, alternatives) } : {}),
});

export type ListedErrors = { readonly errors: readonly FieldError[]; readonly errors_left_out?: number };

/** `details.errors` of a response: as many failing fields as fit, and the number of the others. */
export function listErrors(found: readonly FieldError[]): ListedErrors {
  const errors: FieldError[] = [];
  let characters = 0;
  for (const error of found.slice(0, listed.errors)) {
    const row = answered(error);
    characters += JSON.stringify(row).length;
    if (errors.length > 0 && characters > listed.characters) break;
    errors.push(row);
  }
  const left = found.length - errors.length;
  return { errors, ...(left > 0 ? { errors_left_out: left } : {}) };
}

/**
 * One INVALID_REQUEST for all failing fields; `field` and `message` are those of the first field. `alternatives` are
 * fixes of the whole request; default: those of the first field.
 */
export const invalidRequest = (
  errors: readonly FieldError[],
  alternatives: readonly unknown[] = errors[0].alternatives ?? [],
): ApiError =>
  new ApiError('INVALID_REQUEST', summaryOf(errors), {
    field: errors[0].field,
    alternatives: answerable(errors[0].field, alternatives),
    details: listErrors(errors),
  });

/** INVALID_REQUEST of one field. */
export const invalidField = (field: string, message: string, alternatives: readonly unknown[] = []): ApiError =>
  invalidRequest([{ field, message, alternatives }]);
