import type { Fold, FoldPlan, InnerFit, LabelledTrials } from './types.ts';
import { createRandom, shuffle } from '../random.ts';

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

/** Fits without two folds at once serve both; where only two folds exist, the other one is split in three. */
function innerFits(data: LabelledTrials, all: readonly Fold[]): InnerFit[] {
  const folds = all.filter((fold) => fold.pass === 0);
  if (data.labels.length > nestedTrials || folds.length > nestedFolds) return [];
  if (folds.length > 2) {
    return folds.flatMap((a, i) =>
      folds.slice(i + 1).map((b, at): InnerFit => ({
        train: without(a.train, b.test),
        tests: [
          { rows: b.test, outer: i },
          { rows: a.test, outer: i + 1 + at },
        ],
      })),
    );
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

/** Whole sessions in at most `maxSessionFolds` parts of similar size. */
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
  return (
    mixed &&
    folds.every((fold) => {
      const counts = new Int32Array(data.classes.length);
      for (const row of fold.train) counts[data.labels[row]] += 1;
      return counts.every((count) => count >= 2);
    })
  );
}

/**
 * Which trials test which fit.
 * - Two or more sessions: whole sessions are held out, because trials of one session resemble one another (Saeb et al.
 *   2017, GigaScience 6). Where trials are few, stratified passes are added that only help to tell candidates apart.
 * - Sessions that cannot be held out (of one class each, say): stratified folds within sessions, and the plan says so.
 * - No sessions: stratified five-fold cross-validation (Kohavi 1995, IJCAI) with a fixed seed, repeated when trials are
 *   few; less often where there are many `channels`, for every fit is dearer.
 * Where trials are few the plan also holds the inner fits of nested validation (see `InnerFit`).
 */
export function foldPlan(data: LabelledTrials, channels: number): FoldPlan {
  const plan = outerFolds(data, channels);
  return { ...plan, inner: innerFits(data, plan.folds) };
}

function outerFolds(data: LabelledTrials, channels: number): Omit<FoldPlan, 'inner'> {
  const { labels, sessions, sessionNames } = data;
  const trials = labels.length;
  const most = mostPasses(channels);
  const passes = passesFor(trials, most.all);
  const groups = sessions ? groupRows(sessions, sessions.keys()) : new Map<number, number[]>();
  const repeated = passes > 1 ? `, repeated ${passes} times` : '';
  if (!sessions || groups.size < 2) {
    return {
      validation: 'stratified',
      folds: stratified(data, passes, 0, false),
      evidencePasses: passes,
      passes,
      warnings: [],
      description: `Stratified ${splits}-fold cross-validation over ${trials} trials${repeated}.`,
    };
  }
  const parts = sessionParts(groups);
  const nameOf = (session: number): string => sessionNames?.[session] ?? String(session + 1);
  const held = foldsFrom(
    parts.map((part) => Int32Array.from(part.flatMap((session) => groups.get(session)!)).sort()),
    trials,
    0,
    parts.map((part) => part.map(nameOf)),
  );
  if (canHoldOut(data, held)) {
    const extra = trials <= 140 && parts.length <= 4 ? Math.min(most.extra, passes) : 0;
    return {
      validation: 'sessions',
      folds: [...held, ...stratified(data, extra, 1, true)],
      evidencePasses: 1,
      passes: 1 + extra,
      warnings: [],
      description:
        `Each of ${held.length} ` +
        `${parts.length === groups.size ? 'sessions' : `groups of the ${groups.size} sessions`} was held out in turn.`,
    };
  }
  const single = [...groups]
    .filter(([, rows]) => new Set(rows.map((row) => labels[row])).size === 1)
    .map(([session]) => nameOf(session));
  const why =
    single.length > 0
      ? `${single.length} of ${groups.size} sessions hold one class only ` +
        `(${single.slice(0, 5).join(', ')}${single.length > 5 ? ', …' : ''}), so whole sessions cannot be held out`
      : `holding out whole sessions leaves too few trials of some class`;
  return {
    validation: 'within_sessions',
    folds: stratified(data, passes, 0, true),
    evidencePasses: passes,
    passes,
    warnings: [`${why}: scores come from folds within sessions and say nothing about an unseen session.`],
    description:
      `Stratified ${splits}-fold cross-validation within ${groups.size} sessions over ${trials} ` +
      `trials${repeated}; ${why}.`,
  };
}
