import { count, quoted } from '../../infra/contract/quote.ts';
import { entries, type Problem } from './problems.ts';

/** Validated fields that group trials. */
export interface Grouping {
  readonly session: string | null;
  readonly sessions: readonly string[] | null;
  readonly normalization_context: Readonly<Record<string, readonly (string | null)[] | null | undefined>> | null;
}

const perTrial = (field: string, list: readonly unknown[] | null | undefined, trials: number): Problem[] =>
  list && list.length !== trials
    ? [
        {
          field,
          message: `${field} has ${entries(list.length)} and x has ${count(trials)} trials; send one per trial, or null.`,
        },
      ]
    : [];

/** Checks `sessions`, `session` and the lists of `normalization_context`: one entry per trial, and no contradiction. */
export function groupingProblems(
  { session, sessions, normalization_context }: Partial<Grouping>,
  trials: number | null,
): Problem[] {
  const problems: Problem[] = [];
  if (trials !== null) {
    problems.push(...perTrial('sessions', sessions, trials));
    for (const [key, list] of Object.entries(normalization_context ?? {}))
      problems.push(...perTrial(`normalization_context.${key}`, list, trials));
  }
  const other = session != null ? sessions?.find((name) => name !== session) : undefined;
  if (other !== undefined) {
    problems.push({
      field: 'session',
      message:
        `session names the session of all trials and sessions names ${quoted(other)} for ` +
        'some; send one of the two.',
    });
  }
  return problems;
}

/** The session of each trial: `sessions`, else `session` for all, else null. */
export const sessionsOf = ({ session, sessions }: Partial<Grouping>, trials: number): string[] | null =>
  sessions ? [...sessions] : session != null ? Array.from({ length: trials }, () => session) : null;

/** The recording of each trial in `normalization_context`: its keys joined; null without a context. */
export function contextsOf({ normalization_context }: Partial<Grouping>, trials: number): string[] | null {
  const lists = Object.values(normalization_context ?? {}).filter((list) => list != null);
  return lists.length > 0
    ? Array.from({ length: trials }, (_, trial) => JSON.stringify(lists.map((list) => list[trial])))
    : null;
}

/**
 * Recording of each trial for normalisation, numbered in order of appearance. Trials with the same values of all keys
 * of `normalization_context` are one recording. Without a context, each session is one recording. Null if nothing
 * groups the trials.
 */
export function recordingsOf(grouping: Partial<Grouping>, trials: number): Int32Array | null {
  const keys = contextsOf(grouping, trials) ?? sessionsOf(grouping, trials);
  if (!keys) return null;
  const numbers = new Map<string, number>();
  return Int32Array.from(keys, (key) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
}
