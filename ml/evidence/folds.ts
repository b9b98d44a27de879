import type { Fold, FoldPlan, InnerFit, LabelledTrials } from './types.ts';
import { createRandom, shuffle } from '../random.ts';
import { groupSessions } from './session-groups.ts';

const splits = 5;
const maxSessionFolds = 10;
const seed = 20_240_501;
/**
 * Up to this many trials the choice is repeated inside every fold: a trial that trains the fit which tests another ties
 * their results together, and choosing among many profits from it.
 */
const nestedTrials = 120;
const nestedFolds = 5;

/** Passes of stratified folds: more of them when trials are few and one split would be a gamble. */
const passesFor = (trials: number, most: number): number => Math.min(most, Math.max(1, Math.floor(240 / trials)));
/** Passes at most, and of those that only help to tell candidates apart: fewer where each fit is dear. */
const mostPasses = (channels: number): { all: number; extra: number } =>
  channels > 40 ? { all: 2, extra: 1 } : { all: 5, extra: 2 };

/** Indices of trials by the value of `keys`, in order of first appearance of each key. */
function groupRows(keys: Int32Array, rows: Iterable<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const group = groups.get(keys[row]);
    if (group) group.push(row);
    else groups.set(keys[row], [row]);
  }
  return groups;
}

/** Stratified split: the trials of each stratum are dealt round the parts, going on where the last stratum stopped. */
function deal(strata: readonly number[][], parts: number, pass: number): Int32Array[] {
  const random = createRandom(seed + pass);
  const out: number[][] = Array.from({ length: parts }, () => []);
  let next = 0;
  for (const stratum of strata) {
    for (const row of shuffle([...stratum], random)) {
      out[next % parts].push(row);
      next += 1;
    }
  }
  return out.filter((part) => part.length > 0).map((part) => Int32Array.from(part).sort());
}

function foldsFrom(
  parts: readonly Int32Array[],
  trials: number,
  pass: number,
  names: readonly (readonly string[])[],
): Fold[] {
  return parts.map((test, i) => {
    const held = new Uint8Array(trials);
    for (const row of test) held[row] = 1;
    const train = Int32Array.from({ length: trials }, (_, row) => row).filter((row) => !held[row]);
    return { train, test, pass, heldOut: names[i] ?? [] };
  });
}

const without = (rows: Int32Array, gone: Int32Array): Int32Array => {
  const out = new Set(gone);
  return rows.filter((row) => !out.has(row));
};

/**
 * Fits without two folds at once serve both; where only two folds exist, or such a fit would lack a class, the training
 * trials of each fold are split in three.
 */
function innerFits(data: LabelledTrials, all: readonly Fold[]): InnerFit[] {
  const folds = all.filter((fold) => fold.pass === 0);
  if (data.labels.length > nestedTrials || folds.length > nestedFolds) return [];
  if (folds.length > 2) {
    const pairs = folds.flatMap((a, i) =>
      folds.slice(i + 1).map((b, at): InnerFit => ({
        train: without(a.train, b.test),
        tests: [
          { rows: b.test, outer: i },
          { rows: a.test, outer: i + 1 + at },
        ],
      })),
    );
    if (pairs.every(({ train }) => holdsEveryClass(data, train))) return pairs;
  }
  return folds.flatMap((fold, outer) => {
    const strata = data.classes.map((_, k) => Array.from(fold.train).filter((row) => data.labels[row] === k));
    return deal(strata, 3, 101 + outer).map((rows): InnerFit => ({
      train: without(fold.train, rows),
      tests: [{ rows, outer }],
    }));
  });
}

function stratified(data: LabelledTrials, passes: number, firstPass: number, bySession: boolean): Fold[] {
  const { labels, sessions, classes } = data;
  const keys = bySession && sessions ? labels.map((label, i) => label + classes.length * sessions[i]) : labels;
  const groups = groupRows(keys, keys.keys());
  const strata = [...groups.keys()].sort((a, b) => a - b).map((key) => groups.get(key)!);
  return Array.from({ length: passes }, (_, p) =>
    foldsFrom(deal(strata, splits, firstPass + p), labels.length, firstPass + p, []),
  ).flat();
}

/** Splits of the trials of all sessions together, each class of each session dealt round five parts. */
export const mixedFolds = (data: LabelledTrials, passes: number, firstPass: number): Fold[] =>
  stratified(data, passes, firstPass, true);

/** Groups of whole sessions in at most `maxSessionFolds` parts of similar size. */
function sessionParts(groups: ReadonlyMap<number, number[]>): number[][] {
  const order = [...groups.keys()].sort((a, b) => groups.get(b)!.length - groups.get(a)!.length || a - b);
  const parts: { sessions: number[]; size: number }[] = [];
  for (const session of order) {
    const size = groups.get(session)!.length;
    if (parts.length < maxSessionFolds) parts.push({ sessions: [session], size });
    else {
      const smallest = parts.reduce((a, b) => (b.size < a.size ? b : a));
      smallest.sessions.push(session);
      smallest.size += size;
    }
  }
  return parts.map((part) => part.sessions.sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
}

/**
 * True when every part can be held out: what is left still has two trials of each class, and the part is not of one
 * class alone.
 */
function canHoldOut(data: LabelledTrials, folds: readonly Fold[]): boolean {
  const mixed = folds.some((fold) => new Set(Array.from(fold.test, (row) => data.labels[row])).size > 1);
  return mixed && folds.every((fold) => holdsEveryClass(data, fold.train));
}

/** Two trials of each class. */
function holdsEveryClass({ labels, classes }: LabelledTrials, rows: Int32Array): boolean {
  const counts = new Int32Array(classes.length);
  for (const row of rows) counts[labels[row]] += 1;
  return counts.every((count) => count >= 2);
}

/**
 * Which trials test which fit.
 * - Two or more sessions: whole sessions are held out, because trials of one session resemble one another (Saeb et al.
 *   2017, GigaScience 6); small ones together with others (see `groupSessions`). Where trials are few, stratified
 *   passes are added that only help to tell candidates apart.
 * - Sessions that cannot be held out (of one class each, say): stratified folds within sessions, and the plan says so.
 * - No sessions: stratified five-fold cross-validation (Kohavi 1995, IJCAI) with a fixed seed, repeated when trials are
 *   few; less often where there are many `channels`, for every fit is dearer.
 * Where trials are few the plan also holds the inner fits of nested validation (see `InnerFit`).
 */
export function foldPlan(data: LabelledTrials, channels: number): FoldPlan {
  const plan = outerFolds(data, channels);
  return { ...plan, inner: innerFits(data, plan.folds) };
}

/** What the plan says of the sessions, in words: known before anything is fitted. */
export const foldWarnings = (data: LabelledTrials): readonly string[] => outerFolds(data, 1).warnings;

function outerFolds(data: LabelledTrials, channels: number): Omit<FoldPlan, 'inner'> {
  const { labels, sessions } = data;
  const trials = labels.length;
  const most = mostPasses(channels);
  const passes = passesFor(trials, most.all);
  const repeated = passes > 1 ? `, repeated ${passes} times` : '';
  if (!sessions || new Set(sessions).size < 2) {
    return {
      validation: 'stratified',
      folds: stratified(data, passes, 0, false),
      evidencePasses: passes,
      passes,
      groups: null,
      warnings: [],
      description: `Stratified ${splits}-fold cross-validation over ${trials} trials${repeated}.`,
    };
  }
  const { groups: groupOf, members, small, least } = groupSessions(sessions);
  const nameOf = nameIn(data);
  const groups = groupRows(groupOf, groupOf.keys());
  const count = new Set(sessions).size;
  const together = small.length
    ? `${small.length} of ${count} sessions hold fewer than ${least} trials (${listed(small.map(nameOf))})`
    : '';
  const parts = sessionParts(groups);
  const held = foldsFrom(
    parts.map((part) => Int32Array.from(part.flatMap((group) => groups.get(group)!)).sort()),
    trials,
    0,
    parts.map((part) => part.flatMap((group) => members.get(group)!.map(nameOf))),
  );
  if (groups.size > 1 && canHoldOut(data, held)) {
    const extra = trials <= 140 && parts.length <= 4 ? Math.min(most.extra, passes) : 0;
    return {
      validation: 'sessions',
      folds: [...held, ...stratified(data, extra, 1, true)],
      evidencePasses: 1,
      passes: 1 + extra,
      groups: groupOf,
      warnings: together ? [`${together}: they are held out together with others.`] : [],
      description:
        `Each of ${held.length} ` +
        `${parts.length === count ? 'sessions' : `groups of the ${count} sessions`} was held out in turn.` +
        (together ? ` ${together} and are held out together with others.` : ''),
    };
  }
  const single = sessionsOfOneClass(data).map(nameOf);
  const why = single.length
    ? `${single.length} of ${count} sessions hold one class only (${listed(single)}), so whole sessions ` +
      'cannot be held out'
    : groups.size > 1
      ? 'holding out whole sessions leaves too few trials of some class'
      : `${together}, so whole sessions cannot be held out`;
  const confounded = single.length === count;
  return {
    validation: 'within_sessions',
    folds: stratified(data, passes, 0, true),
    evidencePasses: passes,
    passes,
    groups: confounded ? sessions : groupOf,
    warnings: [
      `${why}: scores come from folds within sessions and say nothing about an unseen session.`,
      ...(confounded ? [oneClassEach] : []),
    ],
    description:
      `Stratified ${splits}-fold cross-validation within ${count} sessions over ${trials} ` +
      `trials${repeated}; ${why}.`,
  };
}

/** What sessions of one class each cannot show. */
export const oneClassEach =
  'Every session holds one class only: whatever differs between the sessions (time, electrodes, drift) differs ' +
  'between the classes too. The score cannot show which of the two is told apart, and no p-value can be given. ' +
  'Record every class in each session.';

const nameIn =
  ({ sessionNames }: LabelledTrials) =>
  (session: number): string =>
    sessionNames?.[session] ?? String(session + 1);

const listed = (names: readonly string[]): string => names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '');

const sessionsOfOneClass = ({ sessions, labels }: LabelledTrials): number[] =>
  [...groupRows(sessions!, sessions!.keys())]
    .filter(([, rows]) => new Set(rows.map((row) => labels[row])).size === 1)
    .map(([session]) => session);
