import { blocksOf } from './blocks.ts';
import { rowsBy } from './dealing.ts';
import { canHoldOut, firstPass, foldsFrom, passesIn, splits, stratified } from './drawn-folds.ts';
import type { Drawn } from './drawn-folds.ts';
import { innerFits } from './inner-fits.ts';
import { createPurge } from './purge.ts';
import { groupSessions } from './session-groups.ts';
import type { Blocks, Fold, FoldPlan, LabelledTrials } from './types.ts';
import { unitsOf } from './units.ts';
import {
  blocksHeldOut,
  blocksInSessions,
  classInOneBlock,
  groupsPerClass,
  hiddenSessionsFound,
  linkWarnings,
  nothingToHoldOut,
  oneClassEach,
} from './fold-warnings.ts';
import { warningSentence } from '../warning-sentences.ts';

const maxSessionFolds = 10;

interface Design extends Drawn {
  readonly blocks: Blocks | null;
  /** Units of linked trials. They differ from `units` if those are blocks. */
  readonly linked: Int32Array | null;
}

/** Number of passes of stratified folds. With few trials one split would depend on luck, so there are more passes. */
const passesFor = (trials: number, most: number): number => Math.min(most, Math.max(1, Math.floor(240 / trials)));
/** Most passes in all, and most extra passes that only help selection. There are fewer if each fit is slow. */
const mostPasses = (channels: number): { all: number; extra: number } =>
  channels > 40 ? { all: 2, extra: 1 } : { all: 5, extra: 2 };

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
 * The folds: which trials train and which test each fit.
 * - Two or more sessions: whole sessions are held out, because trials of one session resemble one another (Saeb et al.
 *   2017, GigaScience 6). Small sessions are held out together with others (see `groupSessions`). With few trials there
 *   are extra stratified passes that only help selection.
 * - Sessions that cannot be held out (for example, of one class each): stratified folds within sessions, and a warning.
 * - No sessions: stratified five-fold cross-validation (Kohavi 1995, IJCAI) with a fixed seed, repeated if trials are
 *   few. There are fewer repeats if there are many `channels`, because every fit is slower.
 * - Labels in blocks (see `blocksOf`) and no whole sessions to hold out: folds of whole blocks. If a class has only one
 *   block, no folds can distinguish the class from drift, and the plan withholds the evidence.
 * Trials that overlap in the recording are never on both sides of a fold. With few trials the plan also contains the
 * inner fits of nested validation (see `InnerFit`).
 */
export function foldPlan(data: LabelledTrials, channels: number): FoldPlan {
  const { design, shuffled, pieces } = designOf(data);
  const { units, purge } = design;
  const { kept, ...plan } = outerFolds(design, channels);
  return {
    ...plan,
    units,
    shuffled,
    inner: plan.withheld === null ? innerFits(data, plan.folds, units, purge) : [],
    warnings: [
      ...(data.links ? linkWarnings(data.links, kept === 'links' ? { pieces } : kept) : []),
      ...(data.foundSessions ? [hiddenSessionsFound(data)] : []),
      ...plan.warnings,
      ...(plan.withheld === null ? [] : [plan.withheld]),
    ],
  };
}

/** Warnings about sessions and blocks. They need no fit. */
export function foldWarnings(data: LabelledTrials): readonly string[] {
  const { warnings, withheld } = outerFolds(designOf(data).design, 1);
  const all = withheld === null ? warnings : [...warnings, withheld];
  return data.foundSessions ? [hiddenSessionsFound(data), ...all] : all;
}

function designOf(data: LabelledTrials): { design: Design; shuffled: Int32Array | null; pieces: number } {
  const blocks = blocksOf(data);
  const { heldOut: linked, shuffled: runs, pieces } = unitsOf(data, null);
  const { heldOut: units, shuffled } = blocks ? unitsOf(data, blocks) : { heldOut: linked, shuffled: runs };
  return { design: { data, blocks, units, linked, purge: createPurge(data.links) }, shuffled, pieces };
}

interface OuterPlan extends Omit<FoldPlan, 'inner' | 'units' | 'shuffled'> {
  /** Which trials that belong together are held out together. */
  readonly kept: 'links' | 'blocks' | 'nothing';
}

function outerFolds(design: Design, channels: number): OuterPlan {
  const { sessions } = design.data;
  const most = mostPasses(channels);
  if (!sessions || new Set(sessions).size < 2) return drawn(design, most.all, null);
  const { groups: groupOf, members, small, least } = groupSessions(sessions);
  const { data } = design;
  const trials = data.labels.length;
  const nameOf = nameIn(data);
  const groups = rowsBy(groupOf);
  const count = new Set(sessions).size;
  const few = { count: small.length, sessions: count, least, names: ` (${listed(small.map(nameOf))})` };
  const together = small.length ? `${few.count} of ${count} sessions hold fewer than ${least} trials${few.names}` : '';
  const parts = sessionParts(groups);
  const sessionFolds = foldsFrom(
    parts.map((part) => Int32Array.from(part.flatMap((group) => groups.get(group)!)).sort()),
    design,
    0,
    parts.map((part) => part.flatMap((group) => members.get(group)!.map(nameOf))),
  );
  if (groups.size > 1 && canHoldOut(data, sessionFolds)) {
    const wanted = trials <= 140 && parts.length <= 4 ? Math.min(most.extra, passesFor(trials, most.all)) : 0;
    const more = stratified(design, wanted, 1, true);
    const extra = !design.units || canHoldOut(data, more) ? more : [];
    return {
      validation: 'sessions',
      kept: 'links',
      folds: [...sessionFolds, ...extra],
      evidencePasses: 1,
      passes: 1 + passesIn(extra),
      groups: groupOf,
      withheld: null,
      warnings: [
        ...(together ? [warningSentence('small_sessions', few)] : []),
        ...(design.blocks ? [blocksInSessions(data, design.blocks)] : []),
      ],
      description:
        `Each of ${sessionFolds.length} ` +
        `${parts.length === count ? 'sessions' : `groups of the ${count} sessions`} was held out in turn.` +
        (together ? ` ${together} and are held out together with others.` : ''),
    };
  }
  const single = sessionsOfOneClass(data);
  const warning = single.length
    ? warningSentence('single_class_sessions', {
        count: single.length,
        sessions: count,
        names: ` (${listed(single.map(nameOf))})`,
      })
    : groups.size > 1
      ? warningSentence('sessions_needed', {})
      : warningSentence('small_sessions_only', few);
  return drawn(design, most.all, { warning, count, single, groups: groupOf });
}

/** Why and which sessions are not held out. */
interface WithinSessions {
  readonly warning: string;
  readonly count: number;
  /** Sessions of one class each. */
  readonly single: readonly number[];
  readonly groups: Int32Array;
}

/** Folds of whole blocks, else of linked trials, else of single trials; within sessions if there are any. */
function drawn(design: Design, most: number, within: WithinSessions | null): OuterPlan {
  const { data, blocks, linked } = design;
  const { sessions } = data;
  const trials = data.labels.length;
  const wanted = passesFor(trials, most);
  const whole = (units: Int32Array | null, bySession: boolean): Fold[] | null => {
    const folds = units && stratified({ ...design, units }, wanted, 0, bySession);
    return folds && canHoldOut(data, folds) ? folds : null;
  };
  const ofBlocks = blocks && whole(design.units, false);
  const ofLinked = ofBlocks ?? whole(linked, within !== null);
  const folds = ofLinked ?? stratified({ data, purge: (rows) => rows, units: null }, wanted, 0, within !== null);
  const passes = passesIn(folds);
  const repeated = passes > 1 ? `, repeated ${passes} times` : '';
  const common = {
    folds,
    evidencePasses: passes,
    passes,
    kept: ofBlocks ? 'blocks' : ofLinked ? 'links' : 'nothing',
  } as const;
  const confounded = within !== null && within.single.length === within.count;
  if (ofBlocks)
    return {
      ...common,
      validation: 'blocks',
      groups:
        within && !confounded ? within.groups.map((g, i) => (within.single.includes(sessions![i]) ? -1 : g)) : null,
      withheld: null,
      warnings: [blocksHeldOut(data, blocks)],
      description:
        `Cross-validation over ${trials} trials in ${firstPass({ folds }).length} folds of ` +
        `whole blocks, of which there are ${blocks.count}${repeated}.`,
    };
  const withheld = confounded
    ? oneClassEach
    : linked && !ofLinked && (!blocks || Math.min(...groupsPerClass(data, linked)) < 2)
      ? nothingToHoldOut(data, linked)
      : blocks
        ? classInOneBlock(data, blocks)
        : null;
  if (!within)
    return {
      ...common,
      validation: 'stratified',
      groups: null,
      withheld,
      warnings: [],
      description: `Stratified ${splits}-fold cross-validation over ${trials} trials${repeated}.`,
    };
  return {
    ...common,
    validation: 'within_sessions',
    groups: confounded ? sessions : within.groups,
    withheld,
    warnings: [within.warning],
    description:
      `Stratified ${splits}-fold cross-validation within ${within.count} sessions over ${trials} ` +
      `trials${repeated}. A warning says why.`,
  };
}

const nameIn =
  ({ sessionNames }: LabelledTrials) =>
  (session: number): string =>
    sessionNames?.[session] ?? String(session + 1);

const listed = (names: readonly string[]): string => names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '');

const sessionsOfOneClass = ({ sessions, labels }: LabelledTrials): number[] =>
  [...rowsBy(sessions!)]
    .filter(([, rows]) => new Set(rows.map((row) => labels[row])).size === 1)
    .map(([session]) => session);
