/** Sessions that are held out, shuffled and drawn together. */
export interface SessionGroups {
  /** Group of each trial: the lowest number among its sessions. */
  readonly groups: Int32Array;
  /** Sessions of each group, by the group's number. */
  readonly members: ReadonlyMap<number, readonly number[]>;
  /** Sessions too small for a group of their own. */
  readonly small: readonly number[];
  /** Fewest trials of a session with a group of its own. */
  readonly least: number;
}

/**
 * A session of fewer than `fewest` trials never has its own group. One of up to `enough` trials has, unless another
 * session is `times` as large.
 */
const size = { fewest: 5, enough: 10, times: 6 } as const;

/**
 * Puts small sessions together, in order of appearance, until each group is large enough. The rest joins the smallest
 * group. A part of the trials that is tiny beside the others gives no evidence when it is held out, and good methods
 * cannot be fitted on it alone. Labels are not read.
 */
export function groupSessions(sessions: Int32Array): SessionGroups {
  const counts = new Map<number, number>();
  for (const session of sessions) counts.set(session, (counts.get(session) ?? 0) + 1);
  const largest = Math.max(...counts.values());
  const least = Math.max(size.fewest, Math.min(size.enough, Math.ceil(largest / size.times)));
  const all = [...counts.keys()];
  const small = all.filter((session) => counts.get(session)! < least);
  const trialsOf = (group: readonly number[]): number =>
    group.reduce((sum, session) => sum + (counts.get(session) ?? 0), 0);
  const made: number[][] = [];
  let open: number[] = [];
  for (const session of small) {
    open.push(session);
    if (trialsOf(open) < least) continue;
    made.push(open);
    open = [];
  }
  const alone = all.filter((session) => !small.includes(session)).map((session) => [session]);
  const groups = [...alone, ...made];
  if (groups.length === 0) groups.push(open);
  else groups.reduce((a, b) => (trialsOf(b) < trialsOf(a) ? b : a)).push(...open);
  const members = new Map(groups.map((group) => [Math.min(...group), group.toSorted((a, b) => a - b)] as const));
  const groupOf = new Map([...members].flatMap(([group, own]) => own.map((session) => [session, group] as const)));
  return { groups: sessions.map((session) => groupOf.get(session)!), members, small, least };
}
