import { pattern } from '../lexicon.ts';

/** Phrases that contain a decisive word but mean something else. They are removed before the search. */
export const harmlessPhrases = pattern(
  `(?<![\\p{L}\\p{N}])(?:${[
    'happy[\\s-]+(?:path|birthday|hour|meal|medium|new year)\\p{L}*', 'angry birds?', 'inside out', '\\bjoy[\\s-]?(?:stick|con|pad)\\p{L}*',
    'mood[\\s-]?(?:light|board|ring)\\p{L}*', 'emotion engine',
    'fear conditioning', 'surprise (?:party|quiz)', 'anger management', 'sad trombone', 'love(?:ly)?',
    'gender[\\s-]+(?:neutral|fair|free|balanced|matched|agreement|congruen\\p{L}*|marking|mismatch|violation)\\p{L}*',
    '(?:grammatical|noun|word|pronoun) gender', 'gender (?:of )?(?:the )?(?:nouns?|words?|articles?|pronouns?)',
    '(?:age|sex|gender|age and sex|age and gender)[\\s-]+(?:matched|balanced|adjusted|appropriate|related words)',
    '(?:grammatisches|grammatikalisches) (?:geschlecht|genus)', 'genre grammatical', 'genero gramatical', 'genere grammaticale',
    '(?:fe)?male[\\s-]+(?:connector|plug|socket|thread|jack|header|end|pin|usb|fitting|adapter|screw)\\p{L}*', '(?:fe)?male (?:or|vs\\.?|versus|and|/) (?:fe)?male (?:connector|plug|socket|thread|jack|header|pin)\\p{L}*',
    'age of acquisition', '(?:ice|stone|bronze|iron|middle|golden|space) ages?',
    'aged?:? ?\\d+(?: ?(?:-|–|to|and|bis|a) ?\\d+)?(?: ?(?:y|yr|yrs|years?)(?: old)?)?(?! ?(?:vs|versus|or|/|oder|ou|o) ?\\d)(?![\\d-])',
    'ages \\d+ ?(?:-|–|to) ?\\d+',
    '(?<!(?:vs\\.?|versus|against|or|and|from|/) )(?:young|old|older|younger|elderly|healthy|adult|male|female) (?:adults?|volunteers?|subjects?|participants?|users?|people|men|women|students?|seniors?)(?= ?(?:$|[,;:.(]|perform|imagin|doing|do |press|mov|listen|watch|look|count|attend|silently|with eyes))',
    'same[\\s-]sex', 'old[\\s/-]+new|new[\\s/-]+old|(?:old|new) (?:vs\\.?|versus|or|and) (?:old|new)',
    'depress\\p{L}* (?:of )?(?:(?:a|an|the|one|left|right|any|each|foot|piano|brake|gas|computer|keyboard) )*(?:key|button|lever|pedal|switch|membrane|plunger|trigger|accelerator|brake|clutch|bar|valve|piston)s?',
    '(?:key|button|lever|pedal|switch|brake|accelerator|clutch|bar|finger|thumb|plunger|mouse)s?(?: is| was| are| being)?[\\s-]+depress\\p{L}*',
    '(?:spreading|long[\\s-]term|synaptic|post[\\s-]?activation|paired[\\s-]pulse|respiratory|great|tropical|economic|st|segment) depression',
    'depression (?:angle|storm)', 'tongue depressor',
    '(?:key|brush|swim\\p{L}*|pen|back|breast|butterfly|tennis|golf|rowing|piston|two|four|first|final|last|single|hand|drawing)[\\s-]*strokes?',
    'strokes? (?:order|play|count|rate|of (?:a|the) (?:pen|brush|luck|key))', 'stroking', 'strokes? (?:of|on|to) the (?:skin|arm|hand|palm|leg|back)',
    'bipolar (?:channels?|montages?|derivations?|electrodes?|leads?|references?|recordings?|stimulation|amplifiers?)',
    '(?:lexical|word|syllable|syllabic|sentence|primary|secondary|phonological|prosodic|linguistic|heat|thermal|cold|mechanical|tensile|shear|oxidative) stress(?:es)?',
    'stress(?:ed)? (?:ball|pattern|syllables?|vowels?|on (?:the )?(?:first|second|last|final|initial)|position|accent|test of the)s?',
    '(?:un)?stressed (?:syllables?|vowels?|words?|beats?)', '(?:vs\\.?|versus|or) unstressed (?:syllables?|vowels?|words?|beats?)',
    '(?:micro|cortical|sleep|eeg|autonomic|spontaneous|k-?complex)[\\s-]?arousals?', 'arousals? (?:from|during|in) (?:\\p{L}+ )?(?:sleep|rem|nrem|anesthesia)',
    "patient(?:'s|s')? (?:own )?(?:choice|hand|chair|bed|preference|choosing)", 'patient (?:waiting|person)', 'outpatient clinic', 'be patient',
    'diagnostic (?:tones?|beeps?|lights?|ports?|led|software|sounds?|messages?|features?)', 'self[\\s-]test\\p{L}*', '(?:seizure|diagnosis|diagnostic|emotion|stress|anger|anxiety|symptom|disease) free', '\\p{L}+-free',
    'seizure of (?:power|assets|goods|property)',
    'non[\\s-]?(?:clinical|diagnostic|medical|emotional)', 'emotion(?:ally|al)?[\\s-]+(?:neutral|free|unrelated)', 'clinically (?:silent|irrelevant)',
    'touch(?:pad|screen)? fingerprint\\p{L}*', 'face (?:id|identity|identities)',
    "control(?:s|ling|led)? (?:of )?(?:the |a )?(?:cursor|wheelchair|robot\\p{L}*|drone|arm|exoskeleton|prosthe\\p{L}*|hand|game|tv|light|mouse|bci)s?",
    "(?:does|do|can|may|might|will|to|would|could|how|whether) (?:[\\p{L}'-]+ ){0,3}affects?", 'affects',
    '(?:hear|hears|hearing|listen to|listening to|listens to|see|sees|seeing|view|views|viewing|look at|looking at|watch|watches|watching|imagine|imagining) (?:an? |the |of )?(?:(?:fe)?male|m[ae]n|wom[ae]n|boys?|girls?|child(?:ren)?|kids?|bab(?:y|ies)|adults?|young|old)',
  ].join('|')})(?![\\p{L}\\p{N}])`,
);

/** Words with another meaning if a second word is anywhere in the description or the labels. */
export const contextual: readonly { readonly when: RegExp; readonly unless?: RegExp; readonly strike: RegExp }[] = [
  // Age and gender of stimuli, unless the task distinguishes people.
  {
    when: /(?<!\p{L})(?:faces?|facial|voices?|speakers?|talkers?|singers?|names|avatars?|characters?|n170)(?!\p{L})/u,
    unless:
      /(?<!\p{L})(?:subjects?|participants?|persons?|people|users?|volunteers?|individuals?|patients?|from (?:the )?(?:eegs?|brain))(?!\p{L})|(?:age|sex|gender)[\s-]+(?:classif|predict|estimat|recogni|detect|decod|identif|profil)/u,
    strike: /(?<!\p{L})(?:ages?|sex|genders?)(?!\p{L})/gu,
  },
  {
    when: /music|song|film|movie|video|listen|book|novel|game|musi[kq]/u,
    strike: /(?<!\p{L})genres?(?!\p{L})/gu,
  },
  { when: /syllab|vowel|phono|prosod|accent|linguist|metrical|word stress|poetry|reading aloud|sylla|silbe|silaba|sillab/u, strike: /(?:un)?stress(?:ed)?/gu },
  { when: /(?<!\p{L})(?:keys?|buttons?|levers?|pedals?|switch(?:es)?|brakes?|keyboard|released?|taste(?:n|ndruck)?|touches?|teclas?|tast[oi])(?!\p{L})/u, strike: /depress\p{L}*/gu },
  {
    when: /gramm?atic|grammati[ks]|грамматич|语法|文法/u,
    strike: /(?<!\p{L})(?:masculin\p{L}*|feminin\p{L}*|femenin\p{L}*|maschil\p{L}*|femminil\p{L}*|mannlich\p{L}*|weiblich\p{L}*|mannelijk\p{L}*|vrouwelijk\p{L}*|мужск\p{L}*|женск\p{L}*)/gu,
  },
  { when: /sleep|schlaf|sommeil|sueno|sonno|(?<!\p{L})sono(?!\p{L})|睡眠/u, strike: /arousals?/gu },
  { when: /swim|brush|(?<!\p{L})pen(?!\p{L})|tennis|golf|rowing|calligraph|violin|cello|(?<!\p{L})bow(?!\p{L})|handwrit|piston|draw|kanji|character writing/u, strike: /strokes?/gu },
  { when: /(?:motion|cyber|simulator|sea|car|travel|vr)[\s-]?sick/u, strike: /sick\p{L}*/gu },
  { when: /montage|electrode|derivation|amplifier|unipolar|monopolar/u, strike: /bipolar/gu },
  { when: /punto|frase|(?:comma|period|semicolon)(?!\p{L})/u, strike: /(?<!\p{L})coma(?!\p{L})/gu },
  { when: /(?<!\p{L})(?:words?|semantic\p{L}*|vocabulary|lexical|worter|mots|palabras|parole|palavras)(?!\p{L})|单词|词汇|単語/u, strike: /(?<!\p{L})(?:diseases?|disorders?|cancers?|virus(?:es)?|tumou?rs?|illness(?:es)?)(?!\p{L})/gu },
  { when: /unconditioned|conditioned|conditioning|(?<!\p{L})cs[+-]/u, strike: /(?<!\p{L})fear(?!\p{L})/gu },
  { when: /pokemon|(?:tv|film|movie) (?:title|character|scene)s|joycon/u, strike: /(?<!\p{L})joy(?!\p{L})/gu },
];
