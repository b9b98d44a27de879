import { anyOf, pattern, type Lexicon } from './lexicon.ts';
import { kinds } from './kinds.ts';
import { first, has, whole } from './matching.ts';
import type { RefusedCategory, Rule, Task } from './types.ts';
import type { Text } from './text.ts';
import { attacks, conditions, well } from './words/clinical.ts';
import { feelings, polarities } from './words/emotion.ts';
import { refusedDataSets } from './words/data-sets.ts';

const opaque =
  /^(?:\p{L}[+-]?|\p{L}{0,6}[\s#.-]?\d{1,4}|[+-]?\d+(?:\.\d+)?|yes|no|true|false|high|low|medium|hi|lo|none|class \p{L})$/u;

/** Uninformative labels (codes, letters, yes and no, high and low): the description decides. */
const sayNothing = (labels: readonly Text[]): boolean =>
  labels.length > 0 &&
  labels.every(
    ({ plain, original }) =>
      opaque.test(plain.trim()) || polarities.test(plain.trim()) || /^[A-Z]{2,5}[+-]?$/.test(original.trim()),
  );

/** Labels of a supported kind of task. */
const sayServed = (labels: readonly Text[]): boolean =>
  kinds.some(({ label }) => label !== null && labels.every(({ plain }) => label.test(plain.trim())));

/** A description that names a data set of a refused kind, with uninformative labels. */
export const dataSetRules: readonly Rule[] = Object.entries(refusedDataSets).map(([category, names]) => {
  const expression = pattern(`(?<![\\p{L}\\p{N}-])(?:${names.toLowerCase()})(?![\\p{L}\\p{N}])`);
  return {
    category: category as RefusedCategory,
    find: ({ description, labels, kind }) => {
      if (kind !== null || !sayNothing(labels)) return null;
      const found = first(description, expression);
      const named = found && description.quote(found.from, found.to);
      return found && named === named?.toUpperCase() ? found : null;
    },
  };
});

const sick = anyOf(attacks, conditions);
const conditionSet = pattern(
  `${sick}(?:'s)?(?: disease| disorder)?(?: (?:scalp|eegs?|resting|human))* (?:data ?sets?|data ?bases?|corpus|corpora)`,
);
const segment = (...lexicons: readonly Lexicon[]): RegExp =>
  pattern(
    '(?:^|[:;,(–-]\\s*)(?:(?!(?:with|without|of|in|during|after|from|for|history|and)\\s)\\p{L}+ ){0,2}' +
      `${anyOf(...lexicons)}(?: (?:discharges?|events?|patterns?))?\\s*(?:$|[:;,)])`,
  );
const attackSegment = segment(attacks);
const conditionSegment = segment(conditions);

const unlessServed = (task: Task, expression: RegExp) =>
  task.kind === null && !sayServed(task.labels) ? first(task.description, expression) : null;

/** `Seizure Corpus`, `Epileptic EEG dataset`: a data set named after a condition. */
export const conditionDataSet: Rule = { category: 'clinical', find: (task) => unlessServed(task, conditionSet) };

/** A part of the description that names only an attack: `TUEV: epileptiform discharges`. */
export const attackNamed: Rule = { category: 'clinical', find: (task) => unlessServed(task, attackSegment) };

/** A part that names only a condition, with uninformative labels. */
export const conditionNamed: Rule = {
  category: 'clinical',
  find: (task) => (sayNothing(task.labels) ? unlessServed(task, conditionSegment) : null),
};

const listedWithHealthy = pattern(
  `${sick}(?:[\\s-]+\\p{L}+){0,2}\\s*(?:,|&|/|and|und|et|y|e)(?: and)? (?:\\d+ )?(?:age-matched )?${anyOf(well)}|` +
    `${anyOf(well)}(?:[\\s-]+\\p{L}+){0,2}\\s*(?:,|&|/|and|und|et|y|e)(?: and)? (?:\\d+ )?(?:\\p{L}+ with )?${sick}`,
);
/** `patients with X and healthy controls`, with uninformative labels. */
export const listedBesideHealthy: Rule = {
  category: 'clinical',
  find: ({ description, labels, kind }) =>
    kind === null && sayNothing(labels) ? first(description, listedWithHealthy) : null,
};

const grade =
  /^(?:(?:very |no |not |non[\s-]?)?(?:mild|light|moderate|severe|focal|generali[sz]ed|healthy|controls?|normals?|abnormal|responders?|remission|relapse|abstinent|stable|progressive)|(?:good|poor|bad|favou?rable|unfavou?rable) (?:outcome|prognosis)|grade ?\w{1,3}|stage ?\w{1,3})$/u;
const graded = (labels: readonly Text[]) => labels.filter(({ plain }) => grade.test(plain.trim()));

/**
 * Classes that grade or place the condition that the description names: `mild`, `focal`, `responder`, `poor outcome`.
 */
export const gradedClasses: Rule = {
  category: 'clinical',
  find: ({ description, labels, kind }) => {
    const found = graded(labels);
    return kind === null && found.length >= 2 && (has(description, conditions) || has(description, attacks))
      ? whole(found[0])
      : null;
  },
};

const state = pattern(`${anyOf(feelings)} states?`);
/** `anxious states`, in a description that names no other kind of task. */
export const feltState: Rule = {
  category: 'emotion',
  find: ({ description, kind }) => (kind === null ? first(description, state) : null),
};
