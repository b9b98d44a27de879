import type { TaskKind } from '../types.ts';
import { taskEvidence } from './kinds.ts';
import { rules } from './rules.ts';
import type { Found, RefusedCategory } from './types.ts';
import { expressedFeelings, ownFeelings } from './shown.ts';
import { readText, without, type Text } from './text.ts';
import { contextual, harmlessPhrases } from './words/harmless.ts';

export interface TaskRefusal {
  readonly category: RefusedCategory;
  /** The field with the evidence. */
  readonly field: 'description' | 'labels' | 'classes';
  /** The evidence, quoted as it was written. */
  readonly evidence: string;
  readonly message: string;
}

const refused: Readonly<Record<RefusedCategory, string>> = {
  emotion: 'recognising emotion or affect',
  clinical: 'clinical or diagnostic use',
  biometrics: 'identifying or retrieving a specific person',
  demographics: 'profiling age, sex or gender',
};

/** The kind that the description names. Rest is no kind, because a task at rest may distinguish anything. */
function served(description: Text): TaskKind | null {
  const evidence = taskEvidence(description);
  return evidence === null || evidence.row.category === 'resting_state' ? null : evidence.row.kind;
}

/**
 * Limits of the search: further classes, and further characters of a label, are not searched. They bound the work of a
 * request.
 */
const looked = { classes: 128, characters: 80 };

/**
 * Feelings that a description attributes to faces, voices or words that are shown. The same words as classes describe
 * stimuli.
 */
const shownFeelings = ({ plain }: Text): ReadonlySet<string> =>
  new Set([...plain.matchAll(expressedFeelings)].flatMap(([phrase]) => phrase.match(/\p{L}+/gu) ?? []));

/** End of the last word of a finding, in scripts that separate words. */
function endOfWord({ text: { plain }, to }: Found): number {
  const rest = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]+/u.exec(plain.slice(to));
  return rest && /[\p{L}\p{N}]$/u.test(plain.slice(0, to)) ? to + rest[0].length : to;
}

/**
 * Refuses the kinds of task that this service does not support (spec, TASK_UNSUPPORTED), only on positive evidence in
 * the description or the labels, which is quoted. The classes decide: a condition of the participants, or a feeling in
 * the stimuli, is no evidence by itself. `named`: the request field of the classes.
 */
export function refuseTask(
  description: string,
  labels: readonly string[],
  named: 'labels' | 'classes' = 'labels',
): TaskRefusal | null {
  const strike = (text: Text): Text =>
    contextual.reduce(
      (struck, { when, unless, strike }) =>
        when.test(whole) && !unless?.test(whole) ? without(struck, strike) : struck,
      without(own ? text : without(text, expressedFeelings), harmlessPhrases),
    );
  const written = readText(description);
  const classes = [...new Set(labels)]
    .slice(0, looked.classes)
    .map((label) => readText(label.slice(0, looked.characters)));
  const whole = [written, ...classes].map(({ plain }) => plain).join(' \n ');
  const own = new RegExp(ownFeelings.source, 'u').test(whole);
  const shown = own ? new Set<string>() : shownFeelings(written);
  const task = {
    description: strike(written),
    labels: classes.map((label) => (shown.has(label.plain.trim()) ? without(label, /\S/gu) : strike(label))),
    kind: served(written),
  };
  for (const { category, find } of rules) {
    const found: Found | null = find(task);
    if (!found) continue;
    const evidence = found.text.quote(found.from, endOfWord(found));
    const field = found.text === task.description ? 'description' : named;
    return {
      category,
      field,
      evidence,
      message:
        `The task is not supported: "${evidence}" in ` +
        `the ${field} says that it is about ${refused[category]}, ` +
        `which this service refuses.`,
    };
  }
  return null;
}
