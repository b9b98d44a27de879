import { classIdeas, type Fit } from './class-ideas.ts';
import { ideasOf, mannerOf, type Idea, type Ideas, type Manner } from './ideas.ts';
import { readText } from './text.ts';

/** A task of a reference data set, for matching. */
export interface MatchableTask {
  readonly set: string;
  readonly task: string;
  readonly name: string;
  readonly classes: readonly { readonly id: string; readonly name: string }[];
}

/** A reference task, and its class for each of the caller's classes. */
export interface ReferenceMatch {
  readonly task: MatchableTask;
  /** The caller's class → id of the task's class, in the caller's order. */
  readonly mapping: Readonly<Record<string, string>>;
}

export type MatchResult =
  | ({ readonly kind: 'matched' } & ReferenceMatch)
  /** Possible meanings, the most likely first; at least one. */
  | { readonly kind: 'ambiguous'; readonly matches: readonly ReferenceMatch[] }
  /** Tasks with the most ideas in common with the request, the nearest first. */
  | { readonly kind: 'none'; readonly nearest: readonly MatchableTask[] };

export interface MatchInput {
  readonly description: string;
  /** null: the classes that the description names. */
  readonly classes: readonly string[] | null;
}

interface Label {
  readonly name: string;
  readonly plain: string;
  readonly ideas: Ideas;
}

interface Found extends ReferenceMatch {
  readonly sure: boolean;
}

const plainOf = (text: string): string =>
  readText(text)
    .plain.replace(/[-_\s]+/g, ' ')
    .trim();

/**
 * The manner of a label (executed or imagined): its own words, else those of the description, else those of the other
 * labels.
 */
function manners(labels: readonly Label[], said: Ideas): (label: Label) => Manner | null {
  const own = new Set(labels.map(({ ideas }) => mannerOf(ideas)).filter((manner) => manner !== null));
  const whole = mannerOf(said) ?? (own.size === 1 ? [...own][0] : null);
  return ({ ideas }) => {
    const stated = mannerOf(ideas);
    // `movement` alone only says what is moved, if the description says that it is imagined.
    const plainly = stated === 'executed' && !ideas.has('executed') && mannerOf(said) === 'imagined';
    return plainly ? 'imagined' : (stated ?? whole);
  };
}

function fitOf(label: Label, each: MatchableTask['classes'][number], said: Ideas, manner: Manner | null): Fit {
  const idea = classIdeas[each.id];
  if (!idea) return label.plain === plainOf(each.name) || label.plain === plainOf(each.id) ? 'sure' : null;
  const fit = idea.fits(label.ideas, said);
  if (fit === null || idea.manner === null || manner === idea.manner) return fit;
  return manner === null ? 'unsure' : null;
}

/** Matches if every label means another class of the task. */
function byLabels(task: MatchableTask, labels: readonly Label[], said: Ideas): Found | null {
  const mannerOfLabel = manners(labels, said);
  const mapping: Record<string, string> = {};
  let sure = true;
  for (const label of labels) {
    const fits = task.classes.map((each) => fitOf(label, each, said, mannerOfLabel(label)));
    const at = fits.includes('sure') ? fits.indexOf('sure') : fits.indexOf('unsure');
    if (at < 0 || Object.values(mapping).includes(task.classes[at].id)) return null;
    sure &&= fits[at] === 'sure';
    mapping[label.name] = task.classes[at].id;
  }
  return { task, mapping, sure };
}

/** Ideas that name classes in a description. Rest and movement count only if the task distinguishes nothing else. */
const naming: readonly Idea[] = ['left', 'right', 'hand', 'foot', 'open', 'closed', 'target', 'non_target'];
/** Ideas that may accompany the class's own idea. */
const beside: Readonly<Partial<Record<Idea, readonly Idea[]>>> = { left: ['hand'], right: ['hand'] };

/** Matches if the description names every class of the task, and no others. */
function byDescription(task: MatchableTask, said: Ideas): Found | null {
  const rows = task.classes.map(({ id }) => classIdeas[id]);
  if (rows.some((row) => row === undefined)) return null;
  const own = rows.map((row) => row.own);
  const wanted = new Set(own.flatMap((idea) => [idea, ...(beside[idea] ?? [])]));
  const eyes = wanted.has('open');
  const named = naming.filter((idea) => said.has(idea) && (said.has('eyes') || (idea !== 'open' && idea !== 'closed')));
  if (said.has('object') && wanted.has('left')) return null;
  if (named.some((idea) => !wanted.has(idea)) || (!eyes && said.has('rest') !== wanted.has('rest'))) return null;
  const moves = said.has('move') || said.has('imagined') || said.has('executed');
  const missing = [...wanted].filter((idea) => !(idea === 'move' ? moves : said.has(idea)));
  // `P300 speller` and `left or right, imagined` leave one word implicit.
  const understood =
    missing.length === 0 ||
    (missing.every((idea) => idea === 'hand') && moves) ||
    (wanted.has('target') && said.has('speller'));
  if (!understood || (eyes && !said.has('eyes'))) return null;
  const manner = rows[0].manner;
  const stated = mannerOf(said);
  if (manner !== null && stated !== null && stated !== manner) return null;
  const place = (idea: Idea): number => said.get(idea) ?? Infinity;
  const classes = task.classes.toSorted((a, b) => place(classIdeas[a.id].own) - place(classIdeas[b.id].own));
  return {
    task,
    mapping: Object.fromEntries(classes.map(({ id, name }) => [name, id])),
    sure:
      missing.length === 0 && (manner === null || stated !== null) && (!wanted.has('target') || said.has('speller')),
  };
}

/**
 * Tasks in the order of how many of their ideas the description mentions, and whether the manner agrees. Tasks without
 * a mention are left out.
 */
function nearestTo(tasks: readonly MatchableTask[], said: readonly Ideas[]): MatchableTask[] {
  const spoken = new Set(said.flatMap((ideas) => [...ideas.keys()]));
  const manner = said.map(mannerOf).find((each) => each !== null) ?? null;
  const score = ({ classes }: MatchableTask): number =>
    classes
      .map(({ id }) => classIdeas[id])
      .filter((row) => row !== undefined)
      .reduce((sum, row) => {
        const ideas = [row.own, ...(beside[row.own] ?? [])].filter((idea) => spoken.has(idea)).length;
        return sum + ideas + (row.manner !== null && row.manner === manner ? (ideas > 0 ? 0.5 : 0.25) : 0);
      }, 0);
  return tasks
    .map((task) => ({ task, near: score(task) }))
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near)
    .map(({ task }) => task);
}

/**
 * The reference task that description and class names mean. Only words decide, in several languages. If the words leave
 * several meanings open, the result is `ambiguous`. Words for other parts of the body, other senses, or other objects
 * on the left or right match nothing.
 */
export function matchReference(tasks: readonly MatchableTask[], { description, classes }: MatchInput): MatchResult {
  const said = ideasOf(description);
  const labels = (classes ?? []).map((name) => ({ name, plain: plainOf(name), ideas: ideasOf(name) }));
  const all = [said, ...labels.map(({ ideas }) => ideas)];
  const foreign = all.some((ideas) => ideas.has('elsewhere'));
  const found = foreign
    ? []
    : tasks.flatMap((task) => (classes ? byLabels(task, labels, said) : byDescription(task, said)) ?? []);
  const sure = found.filter((each) => each.sure);
  const [only] = sure;
  if (sure.length === 1) return { kind: 'matched', task: only.task, mapping: only.mapping };
  const matches = (sure.length > 1 ? sure : found).map(({ task, mapping }) => ({ task, mapping }));
  return matches.length > 0 ? { kind: 'ambiguous', matches } : { kind: 'none', nearest: nearestTo(tasks, all) };
}
