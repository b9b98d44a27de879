import { anyOf, pattern } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { first, has, some } from './matching.ts';
import type { Text } from './text.ts';
import type { RefusedCategory, Rule } from './types.ts';
import {
  against,
  bearer,
  between,
  fillers,
  fillersUnspaced,
  listing,
  recognition,
  stimulus,
  telling,
} from './words/common.ts';

const spaced = (sources: readonly string[]) => `(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`;

/** Whole phrases, anywhere. */
export function phrases(category: RefusedCategory, sources: readonly string[], unspaced: string): Rule {
  const expression = pattern(`${spaced(sources)}|${unspaced}`);
  return {
    category,
    find: ({ description, labels }) => some([description, ...labels], (text) => first(text, expression)),
  };
}

const apart = `(?:${anyOf(against)}|\\s*[/|]\\s*)`;
const article =
  "(?:\\d+ )?(?:no |non[\\s-]?|not |an? |the |der |die |das |les? |la |l'|el |los |il |gli |os? |as? |无|非)?(?:with |con |" +
  'mit |avec |com |having )?(?:focal |generali[sz]ed |mild |moderate |severe |acute |chronic |major |early |late )?';

/** `recognise X`, `X recognition`. */
export function recognised(category: RefusedCategory, ...lexicons: readonly Lexicon[]): Rule {
  const thing = anyOf(...lexicons);
  const expression = pattern(
    `${anyOf(recognition, telling)}(?:${fillers}|${fillersUnspaced}{0,3})[\\s:'-]*${thing}|` +
      `${thing}(?:${between}|${fillersUnspaced}{0,3})(?: (?:and|&) \\p{L}+)?[\\s:'-]*${anyOf(recognition)}`,
  );
  return {
    category,
    find: ({ description, labels }) => some([description, ...labels], (text) => first(text, expression)),
  };
}

/**
 * True if the description names every class, and no class is in the lexicon: then the description itself states the
 * distinction.
 */
export const namesOtherClasses = ({ plain }: Text, labels: readonly Text[], lexicon: Lexicon): boolean =>
  labels.length > 1 &&
  labels.every((label) => {
    const name = label.plain.trim();
    return name.length > 2 && !/\ue000/.test(name) && plain.includes(name) && !has(label, lexicon);
  });

/** `X vs …`, `… vs X`. If the description names another kind of task, `or` may only list the participants. */
export function contrasted(category: RefusedCategory, one: Lexicon, other: Lexicon | null, listed: boolean): Rule {
  const shown = category === 'clinical' ? `(?!\\s*${anyOf(stimulus)})` : '';
  const [left, right] = [anyOf(one) + shown, other ? anyOf(other) : null];
  const join = (a: string, middle: string, b: string) =>
    `${a}${bearer}${fillersUnspaced}{0,2}[\\s:,]*${middle}[\\s,]*${article}${b}`;
  const both = (middle: string) =>
    right
      ? `${join(left, middle, right)}|${join(right, middle, left)}`
      : `${join(left, middle, '(?:[\\p{Letter}0-9])')}|${middle}\\s*${article}${left}`;
  const expression = pattern(both(apart));
  const firm = pattern(both('(?:\\s*(?:\\bvs?\\b\\.?|versus|gegen|contra|contro|contre|from|还是|対)\\s*)'));
  const lists = listed
    ? pattern(
        right
          ? both(`(?:\\s*[,、&+]\\s*|${anyOf(listing)})`)
          : join(left, `(?:\\s*[,、&+/]\\s*|${anyOf(listing)}|${anyOf(against)})`, left),
      )
    : null;
  return {
    category,
    find: ({ description, labels, kind }) =>
      namesOtherClasses(description, labels, one)
        ? null
        : (first(description, kind === null ? expression : firm) ??
          (lists && kind === null && !has(description, against) ? first(description, lists) : null)),
  };
}

/** Classes with a word of the lexicon. `always`: also if every class has one. */
export function classes(category: RefusedCategory, lexicon: Lexicon, always: boolean): Rule {
  const expression = pattern(anyOf(lexicon));
  return {
    category,
    find: ({ labels }) => {
      const found = labels.map((text) => first(text, expression));
      const words = new Set(found.map((match) => (match ? match.text.plain.slice(match.from, match.to) : '')));
      return always || words.size > 1 ? (found.find((match) => match !== null) ?? null) : null;
    },
  };
}

const filler = pattern(
  '(?<![\\p{L}\\p{N}])(?:eegs?|data(?:sets?)?|recordings?|records?|class(?:es)?|tasks?|yes|no|not|or|and|binary|' +
    'two|three|four|five|the|of|an?|in|vs|versus|is|are|labels?|resting|state|rest|with|without|trials?|epochs?|' +
    'study|experiment|brain|signals?|present|absent|positiv\\p{L}*|negativ\\p{L}*|neutral\\p{L}*|pos|neg|high|low|' +
    'good|bad|hoch|niedrig|si|sim|nao|non|oui|nein|ja|nee|ou|o|oder|und|y|e|et|да|нет|или)(?![\\p{L}\\p{N}])|是|否|' +
    '有|无|脑电|脳波|的|の',
);

/** The text only names the thing: `Alzheimer EEG`, `dementia: yes/no`, `emotion`. */
export function alone(category: RefusedCategory, ...lexicons: readonly Lexicon[]): Rule {
  const thing = pattern(anyOf(...lexicons));
  return {
    category,
    find: ({ description }) => {
      const found = first(description, thing);
      return found && !/[\p{L}\ue000]/u.test(description.plain.replace(thing, ' ').replace(filler, ' ')) ? found : null;
    },
  };
}
