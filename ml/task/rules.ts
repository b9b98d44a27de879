import { anyOf, pattern, type Lexicon } from './lexicon.ts';
import type { Text } from './text.ts';
import type { Found, RefusedCategory, Rule } from './types.ts';
import {
  attacks,
  capitals,
  clinicalPhrases,
  clinicalPhrasesUnspaced,
  conditions,
  notOfPeople,
  patients,
  sick,
  well,
} from './words/clinical.ts';
import {
  against,
  bearer,
  between,
  fillers,
  fillersUnspaced,
  listing,
  negation,
  negationAfter,
  people,
  recognition,
  stimulus,
  telling,
} from './words/common.ts';
import {
  emotion,
  emotionPhrases,
  emotionPhrasesUnspaced,
  feelings,
  moving,
  polarities,
  unmoved,
} from './words/emotion.ts';
import {
  ages,
  attributeOf,
  attributes,
  biometricPhrases,
  biometricPhrasesUnspaced,
  numberedPerson,
  personLabel,
  personPhrases,
  personPhrasesUnspaced,
  sexes,
} from './words/persons.ts';

/** First match that is not turned round by a negation. */
function first(text: Text, expression: RegExp): Found | null {
  for (const match of text.plain.matchAll(expression)) {
    const to = match.index + match[0].length;
    if (
      !negation.test(text.plain.slice(Math.max(0, match.index - 40), match.index)) &&
      !negationAfter.test(text.plain.slice(to, to + 16))
    ) {
      return { text, from: match.index, to };
    }
  }
  return null;
}

const some = <T>(items: readonly T[], find: (item: T) => Found | null): Found | null => {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return null;
};
const whole = (text: Text): Found => ({ text, from: 0, to: text.plain.length });
const compiled = new Map<Lexicon, RegExp>();
const has = (text: Text, lexicon: Lexicon): boolean => {
  const known = compiled.get(lexicon) ?? new RegExp(anyOf(lexicon), 'u');
  compiled.set(lexicon, known);
  return known.test(text.plain);
};
const spaced = (sources: readonly string[]) => `(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`;

/** Whole phrases, anywhere. */
function phrases(category: RefusedCategory, sources: readonly string[], unspaced: string): Rule {
  const expression = pattern(`${spaced(sources)}|${unspaced}`);
  return {
    category,
    find: ({ description, labels }) => some([description, ...labels], (text) => first(text, expression)),
  };
}

const apart = `(?:${anyOf(against)}|\\s*[/|]\\s*)`;
const article =
  "(?:no |non[\\s-]?|not |an? |the |der |die |das |les? |la |l'|el |los |il |gli |os? |as? |无|非)?(?:with |con |mit |avec |com |having )?(?:focal |generali[sz]ed |mild |moderate |severe |acute |chronic |major |early |late )?";

/** `recognise X`, `X recognition`. */
function recognised(category: RefusedCategory, ...lexicons: readonly Lexicon[]): Rule {
  const thing = anyOf(...lexicons);
  const expression = pattern(
    `${anyOf(recognition, telling)}(?:${fillers}|${fillersUnspaced}{0,3})[\\s:'-]*${thing}|${thing}(?:${between}|${fillersUnspaced}{0,3})[\\s:'-]*${anyOf(recognition)}`,
  );
  return {
    category,
    find: ({ description, labels }) => some([description, ...labels], (text) => first(text, expression)),
  };
}

/** `X vs …`, `… vs X`. Where the description names another kind of task, `or` may only list who took part. */
function contrasted(category: RefusedCategory, one: Lexicon, other: Lexicon | null, listed: boolean): Rule {
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
    find: ({ description, kind }) =>
      first(description, kind === null ? expression : firm) ??
      (lists && kind === null && !has(description, against) ? first(description, lists) : null),
  };
}

/** Classes that hold a word of the lexicon; `always`: even when every class does. */
function classes(category: RefusedCategory, lexicon: Lexicon, always: boolean): Rule {
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

const feeling = new RegExp(
  `^\\s*(?:(?:very|slightly|highly|more|most|less|no|not) )?${anyOf(feelings)}(?:${bearer}|[\\s-]+(?:mood|state|emotion|valence|arousal|class|状态|情绪|表情))?[\\s\\d]*$`,
  'u',
);
const emotionClasses: Rule = {
  category: 'emotion',
  find: ({ labels }) =>
    some(labels, (label) => (feeling.test(label.plain.replace(/[-/]/g, ' ')) ? whole(label) : null)),
};
const polarClasses: Rule = {
  category: 'emotion',
  find: ({ description, labels }) => {
    const polar = labels.filter((label) => polarities.test(label.plain.trim()));
    const signed = polar.find((label) => /pos|neg|积极|消极|正|负|ポジ|ネガ/u.test(label.plain));
    return signed &&
      polar.length === labels.length &&
      labels.length > 1 &&
      has(description, moving) &&
      !has(description, unmoved)
      ? whole(signed)
      : null;
  },
};

const bearers = '(?:[\\s-]+(?:subjects?|people|persons?|eegs?|group|class|controls?|volunteers?|brains?))?[\\s\\d]*$';
const ill = new RegExp(`^\\s*${anyOf(sick)}${bearers}`, 'u');
const fit = new RegExp(`^\\s*${anyOf(well)}${bearers}`, 'u');
/** Patients against controls, normal against abnormal. */
const sickClasses: Rule = {
  category: 'clinical',
  find: ({ description, labels }) => {
    const found = labels.find(({ plain }) => ill.test(plain));
    return found &&
      labels.some(({ plain }) => fit.test(plain)) &&
      (patients.test(found.plain) || !has(description, notOfPeople))
      ? whole(found)
      : null;
  },
};
const sickContrast: Rule = (() => {
  const rule = contrasted('clinical', sick, well, true);
  return {
    ...rule,
    find: (task) =>
      !patients.test(task.description.plain) && has(task.description, notOfPeople) ? null : rule.find(task),
  };
})();
/** `X severity`, `risk of X`. */
const graded = phrases(
  'clinical',
  [
    `${anyOf(conditions)}${between} (?:severity|symptoms?|risk|progression|status|subtypes?|scores?|onset)`,
    `(?:severity|risk|symptoms?|onset|signs?) of (?:an? |the )?${anyOf(conditions, attacks)}`,
  ],
  '(?!)',
);
const capitalClasses: Rule = {
  category: 'clinical',
  find: ({ labels }) => {
    const named = labels.filter((label) => capitals.test(label.original) && label.original.trim().length <= 12);
    return named.length > 0 &&
      labels.length > 1 &&
      labels.some((label) => has(label, well) || /^(?:HC|CN|NC|CTL|CTRL|FTD|MCI)$/.test(label.original.trim()))
      ? whole(named[0])
      : null;
  },
};

/** Classes of people by sex or age; `male` and `female` faces, voices, names and connectors are stimuli. */
function personClasses(lexicon: Lexicon): Rule {
  const label = new RegExp(
    `^\\s*${anyOf(lexicon)}(?:${bearer}|[\\s-]+(?:age|aged|sex|gender|volunteers?|class|\\d+.*))?\\s*$`,
    'u',
  );
  return {
    category: 'demographics',
    find: ({ description, labels }) => {
      const named = labels.filter(({ plain }) => label.test(plain));
      return named.length >= 2 &&
        named.length >= labels.length - 1 &&
        (!has(description, stimulus) || has(description, people))
        ? whole(named[0])
        : null;
    },
  };
}
function personContrast(lexicon: Lexicon): Rule {
  const among = contrasted('demographics', lexicon, lexicon, false);
  const listed = contrasted('demographics', lexicon, lexicon, true);
  return {
    category: 'demographics',
    find: (task) => {
      if (has(task.description, stimulus) && !has(task.description, people)) return null;
      return has(task.description, recognition) || has(task.description, attributes)
        ? listed.find(task)
        : among.find(task);
    },
  };
}
/** `M` and `F`, or spans of years, where the description speaks of sex or age. */
const codedClasses: Rule = {
  category: 'demographics',
  find: ({ description, labels }) => {
    const coded = labels.filter(({ plain }) =>
      /^\s*(?:[mf]|[<>≤≥]=? ?\d{1,3}|\d{1,2}\s*[-–]\s*\d{1,3}|\d{2}s|(?:under|over) \d{2}|\d{1,2}\+)\s*(?:y|yrs?|years?(?: old)?)?\s*$/u.test(
        plain,
      ),
    );
    return coded.length >= 2 && coded.length === labels.length && has(description, attributes) ? whole(coded[0]) : null;
  },
};
const personNames: Rule = {
  category: 'biometrics',
  find: ({ description, labels, kind }) => {
    const told = kind === null && has(description, people) && has(description, recognition);
    const named = labels.filter(
      ({ plain }) => personLabel.test(plain.trim()) || (told && numberedPerson.test(plain.trim())),
    );
    return named.length >= 2 && named.length === labels.length ? whole(named[0]) : null;
  },
};

const asked =
  '(?:is|are|was|does|do|has|have|whether|if) (?:the |this |that |an? |your |our )?(?:patients?|person|people|subjects?|participants?|users?|individuals?|child(?:ren)?|adult|listener|viewer|driver|student|player|he|she|they|someone|it|eegs?|brain|recording|record)';
/** `is the subject happy`, `does the person have autism`, `feels sad`. */
const questions: readonly Rule[] = [
  phrases(
    'emotion',
    [
      `(?:${asked}(?: (?:feels?|feeling|felt|in|a|more|is|are|was|very|currently|being))*|feel(?:s|ing|t)?(?: (?:very|so|more|of))*|(?:user|subject|participant|person|patient|driver|listener|viewer|student|player|people|he|she)s? (?:is|are|was|were|gets?|seems?|becomes?)(?: (?:very|so|more))?) ${anyOf(feelings)}`,
    ],
    '(?!)',
  ),
  phrases(
    'clinical',
    [
      `${asked}(?: (?:have|has|having|with|suffers?|suffering|from|an?|likely|is|are|was|had|signs of|clinically))* (?:${anyOf(conditions, attacks)}|abnormal|pathological|diseased|mentally ill|ill|sick)`,
    ],
    '(?!)',
  ),
];

const filler = pattern(
  '(?<![\\p{L}\\p{N}])(?:eegs?|data(?:sets?)?|recordings?|records?|class(?:es)?|tasks?|yes|no|not|or|and|binary|two|three|four|five|the|of|an?|in|vs|versus|is|are|labels?|resting|state|rest|with|without|trials?|epochs?|study|experiment|brain|signals?|present|absent|positiv\\p{L}*|negativ\\p{L}*|neutral\\p{L}*|pos|neg|high|low|good|bad|hoch|niedrig|si|sim|nao|non|oui|nein|ja|nee|ou|o|oder|und|y|e|et|да|нет|или)(?![\\p{L}\\p{N}])|是|否|有|无|脑电|脳波|的|の',
);
/** Nothing is said but the thing itself: `Alzheimer EEG`, `dementia: yes/no`, `emotion`. */
function alone(category: RefusedCategory, ...lexicons: readonly Lexicon[]): Rule {
  const thing = pattern(anyOf(...lexicons));
  return {
    category,
    find: ({ description }) => {
      const found = first(description, thing);
      return found && !/[\p{L}\ue000]/u.test(description.plain.replace(thing, ' ').replace(filler, ' ')) ? found : null;
    },
  };
}
/** Two feelings or more in a description that names no other kind of task. */
const severalFeelings: Rule = {
  category: 'emotion',
  find: ({ description, kind }) => {
    const found = [...description.plain.matchAll(pattern(anyOf(feelings)))];
    return kind === null && new Set(found.map(([word]) => word)).size > 1
      ? first(description, pattern(anyOf(feelings)))
      : null;
  },
};
const owned = phrases('demographics', attributeOf, '(?!)');

/** Every rule, most telling first. */
export const rules: readonly Rule[] = [
  phrases('emotion', emotionPhrases, emotionPhrasesUnspaced),
  phrases('biometrics', biometricPhrases, biometricPhrasesUnspaced),
  phrases('clinical', clinicalPhrases, clinicalPhrasesUnspaced),
  phrases('demographics', personPhrases, personPhrasesUnspaced),
  ...questions,
  recognised('emotion', emotion, feelings),
  recognised('clinical', attacks, conditions),
  graded,
  recognised('demographics', attributes),
  emotionClasses,
  polarClasses,
  classes('clinical', attacks, true),
  classes('clinical', conditions, false),
  sickClasses,
  capitalClasses,
  personClasses(sexes),
  personClasses(ages),
  codedClasses,
  personNames,
  contrasted('emotion', { ...feelings, more: ['emotions?', 'stress', 'no stress'] }, null, true),
  contrasted('clinical', attacks, null, true),
  contrasted('clinical', conditions, null, true),
  sickContrast,
  personContrast(sexes),
  personContrast(ages),
  { ...owned, find: (task) => (task.kind === null ? owned.find(task) : null) },
  severalFeelings,
  alone('emotion', emotion, feelings),
  alone('clinical', attacks, conditions),
  alone('demographics', attributes, sexes, ages),
];
