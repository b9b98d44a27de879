import { z } from 'zod';
import { limits } from '../../infra/contract/limits.ts';
import { unseenIn } from '../../infra/contract/unseen.ts';

/**
 * The only reader of text that is compared or shown. It normalises the text to Unicode NFC, so that a composed and a
 * decomposed `é` are the same name. It rejects more than `max` characters (code points) and invisible characters
 * (`unseen.ts`).
 */
export const text = (max: number) =>
  z
    .string()
    .normalize('NFC')
    .check(({ value, issues }) => {
      if (value.length > 2 * max || (value.length > max && Array.from(value).length > max)) {
        issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
      } else if (unseenIn(value)) {
        issues.push({ code: 'invalid_format', format: 'text', input: value });
      }
    })
    .meta({ maxLength: max });
/** A text that is not empty. */
export const words = (max: number) => text(max).min(1);

/** An optional field of a POST body. Null means absent, so that the usual value holds. */
export const optional = <T extends z.ZodType>(schema: T, usual: z.input<T> & z.output<T>) =>
  schema
    .nullable()
    .default(usual as never)
    .transform((value) => (value === null ? usual : value) as z.output<T>);

/** The same for an object that is `{}` by default. Code generators accept no default of an object. */
export const optionalFields = <T extends z.ZodObject>(schema: T) =>
  schema
    .nullable()
    .optional()
    .transform((value) => (value ?? {}) as z.output<T>);

export const name = text(limits.nameCharacters)
  .nullable()
  .default(null)
  .meta({ description: 'Your own name for the model; renamable.', examples: ['Fists or feet, subject 1'] });
export const label = words(limits.labelCharacters);
export const description = words(limits.descriptionCharacters)
  .refine((value) => value === '' || value.trim() !== '', {
    error: 'holds only blanks; say what the task is and what each label means.',
  })
  .meta({
    description: 'What the task is and what each label means.',
    examples: ['motor imagery: both fists or both feet'],
  });
export const isoInstant = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])
  .meta({ description: 'ISO 8601 date or date-time, in the future; without an offset it is read as UTC.' });
export const expiry = {
  expires_at: isoInstant.nullable().default(null),
  expires_in_days: z
    .int()
    .min(limits.expiresInDays.min)
    .max(limits.expiresInDays.max)
    .nullable()
    .default(null)
    .meta({ description: 'Days until the model expires; instead of `expires_at`.' }),
};
export const channels = z
  .array(words(64))
  .min(1)
  .max(limits.channelsPerRequest)
  .meta({
    description: 'One 10-20, 10-10 or 10-05 electrode name per row of `x`, in any order.',
    examples: [['C3', 'Cz', 'C4']],
  });
export const samplingRateHz = z
  .number()
  .min(limits.samplingRateHz.min)
  .max(limits.samplingRateHz.max)
  .meta({ description: 'The true sampling rate in Hz; a wrong one cannot be detected.' });
