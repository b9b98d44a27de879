import { createHash } from 'node:crypto';
import type { Sql } from '../../drivers/postgres/index.ts';

/** How many attempts of a kind one subject has in a window that begins with the first. */
export const attemptLimits = {
  /** Failed sign-ins with one e-mail address, whether it has an account or not. */
  'sign-in-account': { most: 10, minutes: 15 },
  /** Failed sign-ins from one network address. */
  'sign-in-address': { most: 40, minutes: 15 },
  /** Sign-ups from one network address. */
  'sign-up-address': { most: 10, minutes: 60 },
  /** One-time links and invitations that did not work, from one network address. */
  'link-address': { most: 20, minutes: 15 },
  /** Wrong current passwords of one signed-in account. */
  'password-account': { most: 10, minutes: 15 },
} as const satisfies Record<string, { most: number; minutes: number }>;

export type AttemptKind = keyof typeof attemptLimits;

export interface Attempt {
  readonly kind: AttemptKind;
  /** Stored as a hash: a network address, an e-mail address or the id of an account. */
  readonly subject: string;
}

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject.toLowerCase()).digest();

/**
 * Takes one attempt before what it is for is looked at, so that attempts at the same time count, too. Returns null, or
 * the seconds to wait where none is left.
 */
export async function takeAttempt(sql: Sql, { kind, subject }: Attempt): Promise<number | null> {
  const { most, minutes } = attemptLimits[kind];
  const values = [kind, hashOf(subject)];
  const { rowCount } = await sql.query(
    `INSERT INTO account_attempts AS a (kind, subject, count, ends_at)
     VALUES ($1, $2, 1, clock_timestamp() + make_interval(mins => $4))
     ON CONFLICT (kind, subject) DO UPDATE
       SET count = CASE WHEN a.ends_at <= clock_timestamp() THEN 1 ELSE a.count + 1 END,
           ends_at = CASE WHEN a.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE a.ends_at END
       WHERE a.ends_at <= clock_timestamp() OR a.count < $3`,
    [...values, most, minutes],
  );
  if (rowCount === 1) return null;
  const {
    rows: [row],
  } = await sql.query<{ seconds: number }>(
    `SELECT extract(epoch FROM ends_at - clock_timestamp())::double precision AS seconds
     FROM account_attempts WHERE kind = $1 AND subject = $2`,
    values,
  );
  return Math.max(1, Math.ceil(row?.seconds ?? 1));
}

/** Gives back one attempt that turned out to be no failure. */
export async function giveBackAttempt(sql: Sql, { kind, subject }: Attempt): Promise<void> {
  await sql.query('UPDATE account_attempts SET count = count - 1 WHERE kind = $1 AND subject = $2 AND count > 0', [
    kind,
    hashOf(subject),
  ]);
}

/** Forgets the attempts of a subject: its owner has shown who he is. */
export async function forgetAttempts(sql: Sql, { kind, subject }: Attempt): Promise<void> {
  await sql.query('DELETE FROM account_attempts WHERE kind = $1 AND subject = $2', [kind, hashOf(subject)]);
}
