import { anyOf } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { has, some, whole } from './matching.ts';
import { without } from './text.ts';
import type { Rule } from './types.ts';
import { capitals, notOfPeople, patients, sick, well } from './words/clinical.ts';
import { bearer, people, recognition, stimulus } from './words/common.ts';
import { feelings, moving, polarities, unmoved } from './words/emotion.ts';
import { attributes, numberedPerson, personLabel, sexes } from './words/persons.ts';

const feeling = new RegExp(
  `^\\s*(?:(?:very|slightly|highly|more|most|less|no|not) )?${anyOf(feelings)}(?:${bearer}|[\\s-]+(?:mood|state|` +
    `emotion|valence|arousal|class|状态|情绪|表情))?[\\s\\d]*$`,
  'u',
);

/** A class label that is only a feeling. */
export const emotionClasses: Rule = {
  category: 'emotion',
  find: ({ labels }) =>
    some(labels, (label) => (feeling.test(label.plain.replace(/[-/]/g, ' ')) ? whole(label) : null)),
};

/** Classes such as positive and negative, if the description mentions stimuli that evoke emotions. */
export const polarClasses: Rule = {
  category: 'emotion',
  find: ({ description, labels }) => {
    const polar = labels.filter((label) => polarities.test(label.plain.trim()));
    const signed = polar.find((label) =>
      /pos|neg|позит|негат|полож|отриц|积极|消极|正|负|ポジ|ネガ/u.test(label.plain),
    );
    return signed &&
      polar.length === labels.length &&
      labels.length > 1 &&
      has(description, moving) &&
      !has(description, unmoved)
      ? whole(signed)
      : null;
  },
};

const emotionNoun = /(?<!\p{L})emotions?(?!\p{L})/u;
/** Some classes such as neutral, if the description mentions emotions and no other kind of task. */
export const partlyPolarClasses: Rule = {
  category: 'emotion',
  find: ({ description, labels, kind }) =>
    kind === null && emotionNoun.test(description.plain)
      ? some(labels, (label) => (/^(?:neutral|positive|negative)$/.test(label.plain.trim()) ? whole(label) : null))
      : null,
};

const bearers = '(?:[\\s-]+(?:subjects?|people|persons?|eegs?|group|class|controls?|volunteers?|brains?))?[\\s\\d]*$';
const ill = new RegExp(`^\\s*${anyOf(sick)}${bearers}`, 'u');
const fit = new RegExp(`^\\s*${anyOf(well)}${bearers}`, 'u');
/** Patients against controls, normal against abnormal. */
export const sickClasses: Rule = {
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

/** Classes that are abbreviations of conditions, beside the healthy ones. */
export const capitalClasses: Rule = {
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

/** Classes of people by sex or age. `male` and `female` faces, voices, names and connectors are stimuli. */
export function personClasses(lexicon: Lexicon): Rule {
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

const code = new RegExp(
  String.raw`^\s*(?:[mf]|[<>≤≥]=? ?\d{1,3}|\d{1,2}\s*[-–]\s*\d{1,3}|` +
    String.raw`\d{2}s|(?:under|over) \d{2}|\d{1,2}\+)\s*(?:y|yrs?|years?(?: old)?)?\s*$`,
  'u',
);

/** `M` and `F`, or ranges of years, if the description mentions sex or age. */
export const codedClasses: Rule = {
  category: 'demographics',
  find: ({ description, labels }) => {
    const coded = labels.filter(({ plain }) => code.test(plain));
    return coded.length >= 2 && coded.length === labels.length && has(description, attributes) ? whole(coded[0]) : null;
  },
};

/** Read from the original, because a harmless phrase such as `grammatical gender` is masked. */
const grammatical = /gramm?[aá]tic|grammati[ks]|грамматич|语法|文法/iu;
/** Things that are named by a letter. */
const lettered = /letters?|keys?|buttons?|buchstabe|lettres?|letras?|lettere|букв|字母|文字/u;
const beginsWord = (letter: string): RegExp => new RegExp(`(?<!\\p{L})${letter}\\p{L}`, 'u');

/**
 * The two classes `M` and `F`, the usual code of a person's sex. Not where the description names another kind of task,
 * stimuli or grammar, or words for which the letters may stand.
 */
export const sexCodeClasses: Rule = {
  category: 'demographics',
  find: ({ description, labels, kind }) => {
    const codes = new Set(labels.map(({ plain }) => plain.trim()));
    const isCode = labels.length === 2 && codes.has('m') && codes.has('f');
    if (!isCode || kind !== null || has(description, stimulus)) return null;
    if (grammatical.test(description.original) || lettered.test(description.plain)) return null;
    const others = without(description, new RegExp(anyOf(sexes), 'gu')).plain;
    return beginsWord('m').test(others) && beginsWord('f').test(others) ? null : whole(labels[0]);
  },
};

/** Classes that are all persons: a label such as `subject 3`, or numbers if the description distinguishes people. */
export const personNames: Rule = {
  category: 'biometrics',
  find: ({ description, labels, kind }) => {
    const tellsPeopleApart = kind === null && has(description, people) && has(description, recognition);
    const named = labels.filter(
      ({ plain }) => personLabel.test(plain.trim()) || (tellsPeopleApart && numberedPerson.test(plain.trim())),
    );
    return named.length >= 2 && named.length === labels.length ? whole(named[0]) : null;
  },
};
