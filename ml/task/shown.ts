import { anyOf, pattern } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { emotion, feelings } from './words/emotion.ts';

/**
 * Stimuli in which somebody else expresses a feeling: the participant sees, hears or reads them. Films, music and
 * scenes do not count, because they evoke feelings in the participant.
 */
const expressive: Lexicon = {
  en: [
    '(?:facial )?expressions?',
    '(?:\\p{L}+ )?faces?',
    'voices?',
    'vocali[sz]ations?',
    'prosod\\p{L}+',
    'intonations?',
    'words?',
    'nouns?',
    'adjectives?',
    'verbs?',
    'sentences?',
    'emojis?',
    'emoticons?',
    'smileys?',
    'avatars?',
    'postures?',
    'gestures?',
    'gaits?',
    'bod(?:y|ies)',
    'walkers?',
    'cr(?:y|ies)',
    'laughter',
    'stroop',
  ],
  de: ['gesicht(?:er|sausdruck\\p{L}*)?', 'stimmen?', 'wort(?:er)?'],
  fr: ['visages?', 'voix', 'mots?'],
  es: ['caras?', 'rostros?', 'voz', 'voces', 'palabras?'],
  it: ['volt[oi]', 'voc[ei]', 'parol[ae]'],
  pt: ['rostos?', 'voz(?:es)?', 'palavras?'],
  zh: ['的?(?:面孔|人脸|脸|面部表情|表情|声音|语音|词)'],
  ja: ['[いなの]?(?:顔|表情|声|音声|単語)'],
  ko: ['(?:한 )?(?:얼굴|표정|목소리|단어)'],
};

const felt = anyOf(feelings, { en: ['emotional', 'affective', 'neutral', 'emotions?'] });
const shown = anyOf(expressive);
const joint = '[\\s,、/&-]*(?:(?:and|or|vs\\.?|versus|und|oder|et|ou|y|o|e)\\s+)?';

/** A feeling as a property of the stimulus: `happy face`, `fearful vs neutral faces`, `visage heureux`. */
export const expressedFeelings = pattern(
  `(?:${felt}${joint}){1,6}[\\s-]*${shown}|${shown}(?:\\s*[:/,-]\\s*|\\s+)(?:${felt}${joint}){1,6}(?!\\p{L})`,
);

/** The participant feels, or it is the participant's own face or voice. */
export const ownFeelings = pattern(
  `(?:subject|participant|user|person|people|driver|student|viewer|listener|player|patient|wearer)s?(?:'s?)? ` +
    `(?:own )?(?:facial )?(?:expressions?|faces?|voices?|${anyOf(emotion)})|(?<!\\p{L})(?:feels?|felt|feeling|induc\\p{L}+|` +
    `elicit\\p{L}*|evok\\p{L}+)(?!\\p{L})|${anyOf(emotion)} (?:recogni|classif|detect|decod|predict)\\p{L}*`,
);
