import { ApiError, type FieldError } from './errors.ts';

/** One INVALID_REQUEST for all failing fields; `field`, `message` and `alternatives` are those of the first. */
export function invalidRequest(errors: readonly FieldError[]): ApiError {
  const [first] = errors;
  const others = errors.length - 1;
  const more =
    others === 0
      ? ''
      : ` (${others} more failing ${others === 1 ? 'field is' : 'fields are'} listed in details.errors.)`;
  return new ApiError('INVALID_REQUEST', first.message + more, {
    field: first.field,
    alternatives: first.alternatives ?? [],
    details: { errors },
  });
}

/** INVALID_REQUEST of one field. */
export const invalidField = (field: string, message: string, alternatives: readonly unknown[] = []): ApiError =>
  invalidRequest([{ field, message, alternatives }]);
