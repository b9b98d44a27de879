import type { Sql } from '../../drivers/postgres/transaction.ts';

/** How many attempts of a kind one subject has in a window that begins with the first. */
export const attemptLimits = {
  /** Failed sign-ins from one network with one e-mail address, whether it has an account or not. */
  'sign-in-account': { most: 10, minutes: 15 },
  /** The same from all networks together: a stranger cannot keep the owner out from one. */
  'sign-in-everywhere': { most: 100, minutes: 15 },
  /** Failed sign-ins from one network; a site is what one customer may have of IPv6 in all. */
  'sign-in-address': { most: 40, minutes: 15 },
  'sign-in-site': { most: 200, minutes: 15 },
  /** Sign-ins from one network that worked: each costs a hash. */
  'signed-in-address': { most: 60, minutes: 15 },
  /** Sign-ups from one network. */
  'sign-up-address': { most: 10, minutes: 60 },
  'sign-up-site': { most: 50, minutes: 60 },
  /** Free credits that open sign-ups were given at once, all together. */
  'free-credit': { most: 50, minutes: 60 },
  /** One-time links and invitations that did not work, from one network. */
  'link-address': { most: 20, minutes: 15 },
  'link-site': { most: 100, minutes: 15 },
  /** Keys that one account made. */
  'key-account': { most: 200, minutes: 24 * 60 },
  /** Wrong current passwords of one signed-in account. */
  'password-account': { most: 10, minutes: 15 },
} as const satisfies Record<string, { most: number; minutes: number }>;

export type AttemptKind = keyof typeof attemptLimits;

export interface Attempt {
  readonly kind: AttemptKind;
  /** Stored as a hash: a network address, an e-mail address or the id of an account. */
  readonly subject: string;
}

/** Small letters are the database's, as where accounts are found: two texts of one account are one subject. */
const hashed = `sha256(convert_to(lower($2), 'UTF8'))`;

/**
 * Takes one attempt before what it is for is looked at, so that attempts at the same time count, too. Returns null, or
 * the seconds to wait where none is left.
 */
export async function takeAttempt(sql: Sql, { kind, subject }: Attempt): Promise<number | null> {
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

/** Gives back one attempt that turned out to be no failure. */
export async function giveBackAttempt(sql: Sql, { kind, subject }: Attempt): Promise<void> {
  await sql.query(
    `UPDATE account_attempts SET count = count - 1 WHERE kind = $1 AND subject = ${hashed} AND count > 0`,
    [kind, subject],
  );
}

/** Forgets the attempts of a subject: its owner has shown who he is. */
export async function forgetAttempts(sql: Sql, { kind, subject }: Attempt): Promise<void> {
  await sql.query(`DELETE FROM account_attempts WHERE kind = $1 AND subject = ${hashed}`, [kind, subject]);
}
