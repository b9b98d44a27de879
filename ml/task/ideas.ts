import { anyOf, pattern, type Lexicon } from './lexicon.ts';
import { first } from './matching.ts';
import { readText, without, type Text } from './text.ts';
import { abbreviations, cues, elsewhere, ideaWords, letters } from './words/reference.ts';

/** One fact in a text about the participant's activity. */
export type Idea = keyof typeof ideaWords | 'elsewhere';

/** The ideas in a text, each with the position of its first mention. */
export type Ideas = ReadonlyMap<Idea, number>;

const expressions = Object.entries({ ...ideaWords, elsewhere } satisfies Record<string, Lexicon>).map(
  ([idea, words]) => [idea as Idea, pattern(anyOf(words))] as const,
);
const cued = pattern(anyOf(cues));
const nonTarget = pattern(anyOf(ideaWords.non_target));
const apart = /[-/_.]/g;

/** Abbreviations in capitals that mean ideas. A whole label may have any case. */
function* abbreviated({ original }: Text): Generator<readonly [Idea, number]> {
  const label = original.trim().toUpperCase();
  const whole = abbreviations[label] ?? letters[label];
  if (whole) for (const idea of whole) yield [idea, 0];
  for (const { 0: capitals, index } of original.matchAll(/(?<![\p{L}\p{N}])[A-Z]{2}(?![\p{L}\p{N}])/gu))
    for (const idea of abbreviations[capitals] ?? []) yield [idea, index];
}

/** Ideas of a label or description. Negated ideas do not count. */
export function ideasOf(written: string): Ideas {
  const read = readText(written);
  const text = without(read, cued);
  const found = new Map<Idea, number>(abbreviated(read));
  // A hyphen separates words. `non-target` is an exception and is searched first.
  const spaced = { ...text, plain: text.plain.replace(apart, ' ') };
  const rest = without(spaced, nonTarget);
  for (const [idea, expression] of expressions) {
    const place = first(idea === 'target' ? rest : spaced, expression);
    if (place && !found.has(idea)) found.set(idea, place.from);
  }
  return found;
}

export type Manner = 'imagined' | 'executed';

/** Whether a movement is imagined or executed; null if the text says neither, or both. */
export function mannerOf(ideas: Ideas): Manner | null {
  if (ideas.has('imagined')) return ideas.has('executed') ? null : 'imagined';
  return ideas.has('executed') || ideas.has('move') ? 'executed' : null;
}
