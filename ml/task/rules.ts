import {
  capitalClasses,
  codedClasses,
  emotionClasses,
  partlyPolarClasses,
  personClasses,
  personNames,
  polarClasses,
  sexCodeClasses,
  sickClasses,
} from './class-rules.ts';
import {
  attackNamed,
  conditionDataSet,
  conditionNamed,
  dataSetRules,
  feltState,
  gradedClasses,
  listedBesideHealthy,
} from './description-rules.ts';
import { anyOf, pattern } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { first, has } from './matching.ts';
import { alone, classes, contrasted, namesOtherClasses, phrases, recognised } from './rule-makers.ts';
import type { Rule } from './types.ts';
import {
  attacks,
  clinicalPhrases,
  clinicalPhrasesUnspaced,
  conditions,
  notOfPeople,
  patients,
  sick,
  well,
} from './words/clinical.ts';
import { between, people, recognition, stimulus } from './words/common.ts';
import { emotion, emotionPhrases, emotionPhrasesUnspaced, feelings } from './words/emotion.ts';
import {
  ages,
  attributeOf,
  attributeOfUnspaced,
  attributes,
  biometricPhrases,
  biometricPhrasesUnspaced,
  personPhrases,
  personPhrasesUnspaced,
  sexes,
} from './words/persons.ts';

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

/** `has the person`, in other languages; a condition follows. */
const hasCondition = [
  'hat (?:die|der|das|diese[rs]?) (?:person|patient(?:in)?|proband(?:in)?|versuchsperson|kind)(?: (?:eine?|an))?',
  '(?:el|la|los|las|este|esta) (?:sujeto|persona|paciente|participante)s? (?:tienen?|padecen?|sufren?)(?: (?:de|una?))?',
  '(?:il|la|lo|questa?|questo) (?:soggetto|persona|paziente|partecipante) (?:ha|soffre di|presenta)(?: (?:la|il|una?))?',
  '(?:o|a|este|esta) (?:sujeito|pessoa|paciente|participante) (?:tem|sofre de|apresenta)(?: uma?)?',
  "(?:le|la|l'|ce|cette) ?(?:sujet|personne|patiente?|participante?) (?:a|souffre d[e'u])(?: (?:une?|la|l'))?",
  'heeft (?:de|deze|het) (?:persoon|proefpersoon|patient|deelnemer|kind)(?: een)?',
  'есть ли у (?:испытуем|пациент|человек|участник)\\p{L}*',
];

const asked =
  '(?:is|are|was|does|do|has|have|whether|if) (?:the |this |that |an? |your |our )?(?:patients?|person|people|' +
  'subjects?|participants?|users?|individuals?|child(?:ren)?|adult|listener|viewer|driver|student|player|he|she|' +
  'they|someone|it|eegs?|brain|recording|record)';
/** `is the subject happy`, `does the person have autism`, `feels sad`. */
const questions: readonly Rule[] = [
  phrases(
    'emotion',
    [
      `(?:${asked}(?: (?:feels?|feeling|felt|in|a|more|is|are|was|very|currently|being))*|feel(?:s|ing|t)?(?: ` +
        `(?:very|so|more|of))*|(?:user|subject|participant|person|patient|driver|listener|viewer|student|player|` +
        `people|he|she)s? (?:is|are|was|were|gets?|seems?|becomes?)(?: (?:very|so|more))?) ${anyOf(feelings)}`,
    ],
    '(?!)',
  ),
  phrases('emotion', [`how (?:very )?${anyOf(feelings)} (?:is|are|was|were|does|do|did)(?! (?:it|this|that))`], '(?!)'),
  phrases(
    'clinical',
    [
      `${asked}(?: (?:have|has|having|with|suffers?|suffering|from|an?|likely|is|are|was|had|signs of|` +
        `clinically))* (?:${anyOf(conditions, attacks)}|abnormal|pathological|diseased|mentally ill|ill|sick)`,
      `(?:recordings?|eegs?|data|signals?) (?:come|comes|came|is|are|was|were) (?:from|of) (?:an? |the )?(?:patients?|` +
        `persons?|people|subjects?|participants?) (?:with|who ha[sd]|suffering from) ${anyOf(conditions)}`,
      ...hasCondition.map((words) => `${words}(?: l'| )${anyOf(conditions, attacks)}`),
    ],
    `(?:是否|有没有|有無|有无)(?:患有?|有|得了?)?${anyOf({ zh: conditions.zh })}|` +
      `(?:被験者|参加者|利用者|この人|本人)(?:は|が)${anyOf({ ja: conditions.ja })}(?:患者)?か`,
  ),
];

/** Two feelings or more in a description that names no other kind of task. */
const severalFeelings: Rule = {
  category: 'emotion',
  find: ({ description, labels, kind }) => {
    const found = [...description.plain.matchAll(pattern(anyOf(feelings)))];
    return kind === null &&
      !namesOtherClasses(description, labels, feelings) &&
      new Set(found.map(([word]) => word)).size > 1
      ? first(description, pattern(anyOf(feelings)))
      : null;
  },
};

/** `the recording belongs to a teenager or to an adult`. */
const belonging = phrases(
  'demographics',
  [
    `(?:recordings?|eegs?|data|signals?|brains?) (?:belongs?|comes?|came|is|are|was|were) (?:to|from|of) (?:an? |the )?` +
      `${anyOf(ages, sexes)} (?:vs\\.?|versus|or) (?:to |from |of )?(?:an? |the )?${anyOf(ages, sexes)}`,
  ],
  '(?!)',
);

const owned = phrases('demographics', attributeOf, attributeOfUnspaced);

/** Every rule, the most specific first. */
export const rules: readonly Rule[] = [
  phrases('biometrics', biometricPhrases, biometricPhrasesUnspaced),
  phrases('emotion', emotionPhrases, emotionPhrasesUnspaced),
  phrases('clinical', clinicalPhrases, clinicalPhrasesUnspaced),
  phrases('demographics', personPhrases, personPhrasesUnspaced),
  ...questions,
  recognised('emotion', emotion, feelings),
  recognised('clinical', attacks, conditions),
  graded,
  recognised('demographics', attributes),
  emotionClasses,
  polarClasses,
  partlyPolarClasses,
  classes('clinical', attacks, true),
  classes('clinical', conditions, false),
  sickClasses,
  capitalClasses,
  personClasses(sexes),
  personClasses(ages),
  codedClasses,
  sexCodeClasses,
  personNames,
  contrasted('emotion', { ...feelings, more: ['emotions?', 'stress', 'no stress'] }, null, true),
  contrasted('clinical', attacks, null, true),
  contrasted('clinical', conditions, null, true),
  sickContrast,
  personContrast(sexes),
  personContrast(ages),
  belonging,
  { ...owned, find: (task) => (task.kind === null ? owned.find(task) : null) },
  severalFeelings,
  feltState,
  gradedClasses,
  listedBesideHealthy,
  conditionDataSet,
  attackNamed,
  conditionNamed,
  ...dataSetRules,
  alone('emotion', emotion, feelings),
  alone('clinical', attacks, conditions),
  alone('demographics', attributes, sexes, ages),
];
