import { anyOf, pattern, type Lexicon } from './lexicon.ts';
import { first } from './matching.ts';
import { readText, without, type Text } from './text.ts';
import { abbreviations, cues, elsewhere, ideaWords } from './words/reference.ts';

/** One thing that a text says of what a participant does. */
export type Idea = keyof typeof ideaWords | 'elsewhere';

/** What a text says, each with the place where it says so first. */
export type Ideas = ReadonlyMap<Idea, number>;

const expressions = Object.entries({ ...ideaWords, elsewhere } satisfies Record<string, Lexicon>).map(
  ([idea, words]) => [idea as Idea, pattern(anyOf(words))] as const,
);
const cued = pattern(anyOf(cues));
const nonTarget = pattern(anyOf(ideaWords.non_target));
const apart = /[-/_.]/g;

/** Capitals of a text that stand for ideas; a whole label says the same in any case. */
function* abbreviated({ original }: Text): Generator<readonly [Idea, number]> {
  const whole = abbreviations[original.trim().toUpperCase()];
  if (whole) for (const idea of whole) yield [idea, 0];
  for (const { 0: letters, index } of original.matchAll(/(?<![\p{L}\p{N}])[A-Z]{2}(?![\p{L}\p{N}])/gu))
    for (const idea of abbreviations[letters] ?? []) yield [idea, index];
}

/** Reads what a label or a description says; what it denies, it does not say. */
export function ideasOf(written: string): Ideas {
  const read = readText(written);
  const text = without(read, cued);
  const found = new Map<Idea, number>(abbreviated(read));
  // A hyphen parts words, but for `non-target`, which is looked for before.
  const spaced = { ...text, plain: text.plain.replace(apart, ' ') };
  const rest = without(spaced, nonTarget);
  for (const [idea, expression] of expressions) {
    const place = first(idea === 'target' ? rest : spaced, expression);
    if (place && !found.has(idea)) found.set(idea, place.from);
  }
  return found;
}

export type Manner = 'imagined' | 'executed';

/** Whether something is imagined or done; null where the text says neither, or both. */
export function mannerOf(ideas: Ideas): Manner | null {
  if (ideas.has('imagined')) return ideas.has('executed') ? null : 'imagined';
  return ideas.has('executed') || ideas.has('move') ? 'executed' : null;
}
