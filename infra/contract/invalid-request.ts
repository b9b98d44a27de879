import { ApiError, type FieldError } from './errors.ts';

/** The first failing field's message, and how many more there are. */
export function summaryOf(errors: readonly FieldError[]): string {
  const others = errors.length - 1;
  if (others === 0) return errors[0].message;
  return `${errors[0].message} (${others} more failing ${others === 1 ? 'field is' : 'fields are'} listed in details.errors.)`;
}

/** A failing field as it is answered, without what only the service reads of it. */
export const answered = ({ field, message, alternatives }: FieldError): FieldError => ({
  field,
  message,
  ...(alternatives ? { alternatives } : {}),
});

/** One INVALID_REQUEST for all failing fields; `field`, `message` and `alternatives` are those of the first. */
export const invalidRequest = (errors: readonly FieldError[]): ApiError =>
  new ApiError('INVALID_REQUEST', summaryOf(errors), {
    field: errors[0].field,
    alternatives: errors[0].alternatives ?? [],
    details: { errors: errors.map(answered) },
  });

/** INVALID_REQUEST of one field. */
export const invalidField = (field: string, message: string, alternatives: readonly unknown[] = []): ApiError =>
  invalidRequest([{ field, message, alternatives }]);
