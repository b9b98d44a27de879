import { parseUsd } from '../../contract/prices.ts';
import { unseenIn } from '../../contract/unseen.ts';

/** A command that is invalid or impossible; the message is for the operator's terminal. */
export class AdminError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AdminError';
  }
}

export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Value of a required option. */
export function required(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value === '') throw new AdminError(`--${name} is missing.`);
  return value;
}

export const optional = (options: Options, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** A text that others will see, in Unicode's form NFC; AdminError if it contains invisible characters. */
export function shown(options: Options, name: string): string | undefined {
  const value = optional(options, name)?.normalize('NFC');
  const fault = value === undefined ? null : unseenIn(value);
  if (fault)
    throw new AdminError(
      `--${name} contains ${fault.shown} at character ${fault.place}, which is invisible. Remove it.`,
    );
  return value;
}

export function usd(options: Options, name: string): bigint | undefined {
  const value = optional(options, name);
  if (value === undefined) return undefined;
  try {
    return parseUsd(value);
  } catch (cause) {
    throw new AdminError(`--${name}: ${(cause as Error).message}`, { cause });
  }
}

/** A cap: an amount, or `none` to remove it. */
export const cap = <T>(
  options: Options,
  name: string,
  read: (options: Options, name: string) => T | undefined,
): T | null | undefined => (options[name] === 'none' ? null : read(options, name));

export function whole(options: Options, name: string): number | undefined {
  const value = optional(options, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new AdminError(`--${name} "${value}" is not a whole number.`);
  return Number(value);
}

export function big(options: Options, name: string): bigint | undefined {
  const value = optional(options, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new AdminError(`--${name} "${value}" is not a whole number.`);
  return BigInt(value);
}

/** An ISO 8601 date (midnight UTC) or date-time. */
export function instant(options: Options, name: string): Date | undefined {
  const value = optional(options, name);
  if (value === undefined) return undefined;
  const date = new Date(value);
  if (!/^\d{4}-\d{2}-\d{2}(T|$)/.test(value) || Number.isNaN(date.getTime()))
    throw new AdminError(`--${name} "${value}" is not an ISO 8601 date or date-time.`);
  return date;
}

/** Values from a repeated or comma-separated option. */
export function list(options: Options, name: string): string[] | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  return [value]
    .flat()
    .flatMap((text) => String(text).split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
