import type { FitRequest } from '../../infra/contract/fit-request.ts';

/** Limits: characters of one warning or reason, and bytes of all warnings and of all reasons as JSON. */
const maximum = { characters: 1_000, bytes: 10 * 1024 };

const cut = (text: string): string =>
  text.length > maximum.characters ? `${text.slice(0, maximum.characters - 1).toWellFormed()}…` : text;

/** The first rows that fit. */
function withinBytes<T>(rows: readonly T[]): T[] {
  let bytes = 0;
  return rows.filter((row) => (bytes += Buffer.byteLength(JSON.stringify(row)) + 1) <= maximum.bytes);
}

/**
 * Shortens the request's texts, so that it fits into a Temporal payload. Warnings and reasons may quote long labels and
 * channel names.
 */
export const bounded = (request: FitRequest): FitRequest => ({
  ...request,
  warnings: withinBytes(request.warnings.map(cut)),
  skipped: withinBytes(request.skipped.map((each) => ({ ...each, reason: cut(each.reason) }))),
});
