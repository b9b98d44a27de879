import type { FastifyRequest } from 'fastify';
import { limits } from '../../infra/contract/limits.ts';

/** `Prefer: respond-async` of a request (RFC 7240). */
export interface AsyncPreference {
  /** Seconds that the caller waits for the final answer before it wants a job: `wait`, or 0. */
  readonly waitSeconds: number;
  /** The value of `Preference-Applied` of an answer that followed it. */
  readonly applied: string;
}

/** The preference of a request to be answered with a job; null: it has none. Unknown preferences are ignored. */
export function asyncPreferenceOf({ headers }: Pick<FastifyRequest, 'headers'>): AsyncPreference | null {
  const sent = new Map<string, string>();
  for (const each of String(headers['prefer'] ?? '')
    .slice(0, 1_000)
    .split(',')) {
    // `name`, `name=value` or `name="value"`; parameters after a semicolon are ignored.
    const [preference = ''] = each.split(';', 1);
    const [before = '', ...after] = preference.split('=');
    const name = before.trim().toLowerCase();
    if (name && !sent.has(name)) sent.set(name, after.join('=').trim().replace(/^"|"$/g, ''));
  }
  if (!sent.has('respond-async')) return null;
  const wait = sent.get('wait') ?? '';
  if (!/^\d{1,9}$/.test(wait)) return { waitSeconds: 0, applied: 'respond-async' };
  const waitSeconds = Math.min(Number(wait), limits.waitSeconds);
  return { waitSeconds, applied: `respond-async, wait=${waitSeconds}` };
}
