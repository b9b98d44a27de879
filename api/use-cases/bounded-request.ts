import type { FitRequest } from '../../infra/contract/fit-request.ts';

/** Characters of a warning or a reason at most, and bytes of all warnings and of all reasons as JSON. */
const most = { characters: 1_000, bytes: 10 * 1024 };

const cut = (text: string): string =>
  text.length > most.characters ? `${text.slice(0, most.characters - 1).toWellFormed()}…` : text;

/** As many as fit, from the first on. */
function withinBytes<T>(rows: readonly T[]): T[] {
  let bytes = 0;
  return rows.filter((row) => (bytes += Buffer.byteLength(JSON.stringify(row)) + 1) <= most.bytes);
}

/**
 * The request with its texts cut, so that it can pass through Temporal whatever the caller's labels and channel names
 * are: warnings and reasons may quote them.
 */
export const bounded = (request: FitRequest): FitRequest => ({
  ...request,
  warnings: withinBytes(request.warnings.map(cut)),
  skipped: withinBytes(request.skipped.map((each) => ({ ...each, reason: cut(each.reason) }))),
});
