import { countLabels } from '../../infra/contract/class-counts.ts';
import { limits } from '../../infra/contract/limits.ts';
import { count, quoted } from '../../infra/contract/quote.ts';
import type { Finding } from '../../ml/types.ts';
import type { Problem } from './problems.ts';
import { requestSentence } from './request-sentences.ts';

/**
 * TOO_FEW_TRIALS (spec, rule 7): fewer than 2 classes, or fewer than 5 trials in a class, with the numbers. There is no
 * fix: the caller needs more trials.
 */
export function tooFewTrials(labels: readonly string[]): Problem | null {
  const counts = countLabels(labels);
  const few = [...counts].filter(([, trials]) => trials < limits.minTrialsPerClass).sort((a, b) => a[1] - b[1]);
  if (counts.size >= limits.minClasses && few.length === 0) return null;
  const name = ([label, trials]: [string, number]) => `${quoted(label, 60)} has ${count(trials)}`;
  const shown = few.length > 0 ? few : [...counts];
  const list =
    shown.slice(0, 8).map(name).join(', ') +
    (shown.length > 8 ? ` and ${shown.length - 8} more classes have too few` : '');
  return {
    field: 'labels',
    code: 'TOO_FEW_TRIALS',
    message:
      `labels holds ${count(counts.size)} ${counts.size === 1 ? 'class' : 'classes'} in ` +
      `${count(labels.length)} trials: ${list}. At least ${limits.minClasses} classes with at least ` +
      `${limits.minTrialsPerClass} trials each are needed (${limits.recommendedTrialsPerClass} or more ` +
      `recommended). ${spelling(counts.keys())}Where the others come later, \`defer_fit\` keeps these until then.`,
  };
}

/**
 * PAYLOAD_TOO_LARGE if there are more classes, or longer names in total, than a model stores: every answer about the
 * model contains them. `labels`: those of a request, or of a model and a further batch.
 */
export function tooManyClasses(labels: readonly string[]): Problem | null {
  const classes = new Set(labels);
  const bytes = [...classes].reduce((sum, label) => sum + Buffer.byteLength(label), 0);
  if (classes.size <= limits.classesPerModel && bytes <= limits.classNameBytesPerModel) return null;
  return {
    field: 'labels',
    code: 'PAYLOAD_TOO_LARGE',
    message:
      `The labels name ${count(classes.size)} classes, whose names have ${count(bytes)} bytes together. A model keeps at ` +
      `most ${count(limits.classesPerModel)} classes and ${count(limits.classNameBytesPerModel)} bytes of their names. ` +
      'Send fewer classes, or shorter names; the name of a recording belongs in `sessions`.',
  };
}

/** If a class may be small because its label is misspelt, says which labels are probably one class. */
function spelling(labels: Iterable<string>): string {
  const pairs = pairsOf(labels);
  return pairs.length > 0
    ? `${pairs.slice(0, 3).join('; ')} differ only in case or blanks: each spelling is a class. `
    : '';
}

/** A label without case, spaces, joiners and compatibility forms (such as full-width letters). */
const plainOf = (label: string): string =>
  label
    .normalize('NFKC')
    .replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toUpperCase()
    .toLowerCase();

/** Labels that differ only by what `plainOf` removes, each with the first spelling. */
function pairsOf(labels: Iterable<string>): string[] {
  const bySpelling = new Map<string, string>();
  const pairs: string[] = [];
  for (const label of labels) {
    const earlier = bySpelling.get(plainOf(label));
    if (earlier === undefined) bySpelling.set(plainOf(label), label);
    else if (earlier !== label) pairs.push(`${quoted(earlier)} and ${quoted(label)}`);
  }
  return pairs;
}

const spellingWarning = (pairs: readonly string[]): string =>
  requestSentence('label_spelling', {
    pairs: pairs.slice(0, 10).join('; ') + (pairs.length > 10 ? ` and ${pairs.length - 10} more pairs` : ''),
  });

/** Warnings about classes that differ only in spelling, over all batches of a model. */
export function spellingWarnings(classes: readonly string[]): string[] {
  const pairs = pairsOf(classes);
  return pairs.length > 0 ? [spellingWarning(pairs)] : [];
}

/** Warnings about labels of a batch that differ only in spelling from classes of earlier batches. */
export function newSpellings(classes: readonly string[], labels: readonly string[]): string[] {
  const warned = new Set([...pairsOf(classes), ...pairsOf(labels)]);
  const pairs = pairsOf(new Set([...classes, ...labels])).filter((pair) => !warned.has(pair));
  return pairs.length > 0 ? [spellingWarning(pairs)] : [];
}

/**
 * Warnings about labels that were sent both composed and decomposed (`é` as one code point and as two). They are one
 * class.
 */
function formWarnings(sent: readonly string[]): string[] {
  const forms = Map.groupBy(new Set(sent), (label) => label.normalize('NFC'));
  const names = [...forms].filter(([, each]) => each.length > 1).map(([label]) => quoted(label));
  if (names.length === 0) return [];
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return [requestSentence('label_form', { labels: names.slice(0, 10).join(', ') + more })];
}

/** If the labels are longer in total, an answer does not repeat them. */
const repeatedCharacters = 32_768;

/**
 * Findings about the spelling of labels. Labels that differ only in case, blanks or compatibility forms are two
 * classes, probably by mistake. The fix uses the first spelling. `sent`: the labels as sent, if `labels` are in form
 * NFC.
 */
export function labelFindings(labels: readonly string[], sent: readonly string[] = labels): Finding[] {
  const forms = formWarnings(sent).map((message) => ({ check: 'label_form', message, change: null, remove: null }));
  const distinct = [...countLabels(labels).keys()];
  const pairs = pairsOf(distinct);
  if (pairs.length === 0) return forms;
  const bySpelling = new Map(distinct.toReversed().map((label) => [plainOf(label), label]));
  const small = labels.reduce((sum, { length }) => sum + length + 3, 0) <= repeatedCharacters;
  return [
    ...forms,
    {
      check: 'label_spelling',
      message: spellingWarning(pairs),
      change: small ? { labels: labels.map((label) => bySpelling.get(plainOf(label))!) } : null,
      remove: null,
    },
  ];
}
