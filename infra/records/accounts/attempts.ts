import type { Sql } from '../../drivers/postgres/transaction.ts';

/** Most attempts of a kind per subject, in a window that begins with the first attempt. */
export const attemptLimits = {
  /** Failed sign-ins from one network with one e-mail address, with or without an account. */
  'sign-in-account': { most: 10, minutes: 15 },
  /** The same from all networks together, so that an attacker in one network cannot lock the owner out. */
  'sign-in-everywhere': { most: 100, minutes: 15 },
  /** Failed sign-ins from one network. A `site` is the largest IPv6 range of one customer. */
  'sign-in-address': { most: 40, minutes: 15 },
  'sign-in-site': { most: 200, minutes: 15 },
  /** Successful sign-ins from one network: each costs a hash. */
  'signed-in-address': { most: 60, minutes: 15 },
  /** Sign-ups from one network. */
  'sign-up-address': { most: 10, minutes: 60 },
  'sign-up-site': { most: 50, minutes: 60 },
  /** Free credits given immediately to open sign-ups, in total. */
  'free-credit': { most: 50, minutes: 60 },
  /** Invalid one-time links and invitations from one network. */
  'link-address': { most: 20, minutes: 15 },
  'link-site': { most: 100, minutes: 15 },
  /** Requests for shared reports from one network: a view of the page is two. */
  'shared-address': { most: 600, minutes: 15 },
  'shared-site': { most: 3_000, minutes: 15 },
  /** Keys made by one account. */
  'key-account': { most: 200, minutes: 24 * 60 },
  /** Wrong current passwords of one signed-in account. */
  'password-account': { most: 10, minutes: 15 },
} as const satisfies Record<string, { most: number; minutes: number }>;

export type AttemptKind = keyof typeof attemptLimits;

export interface Attempt {
  readonly kind: AttemptKind;
  /** Network address, e-mail address or account id; stored as a hash. */
  readonly subject: string;
}

/**
 * The database converts to lower case, as it does when it looks for accounts: two spellings of one account are one
 * subject.
 */
const hashed = `sha256(convert_to(lower($2), 'UTF8'))`;

/**
 * Counts an attempt before it is carried out, so that concurrent attempts count too. Returns null, or the seconds to
 * wait if none is left.
 */
export async function countAttempt(sql: Sql, { kind, subject }: Attempt): Promise<number | null> {
  const { most, minutes } = attemptLimits[kind];
  const values = [kind, subject];
  const { rowCount } = await sql.query(
    `INSERT INTO account_attempts AS a (kind, subject, count, ends_at)
     VALUES ($1, ${hashed}, 1, clock_timestamp() + make_interval(mins => $4))
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
     FROM account_attempts WHERE kind = $1 AND subject = ${hashed}`,
    values,
  );
  return Math.max(1, Math.ceil(row?.seconds ?? 1));
}

/** Uncounts an attempt that was not a failure. */
export async function uncountAttempt(sql: Sql, { kind, subject }: Attempt): Promise<void> {
  await sql.query(
    `UPDATE account_attempts SET count = count - 1 WHERE kind = $1 AND subject = ${hashed} AND count > 0`,
    [kind, subject],
  );
}

/** Deletes the attempts of a subject after its owner has signed in. */
export async function forgetAttempts(sql: Sql, { kind, subject }: Attempt): Promise<void> {
  await sql.query(`DELETE FROM account_attempts WHERE kind = $1 AND subject = ${hashed}`, [kind, subject]);
}
