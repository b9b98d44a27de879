import type { Lexicon } from '../lexicon.ts';

/** Ideas that describe the classes of reference recordings, by language; plain text (lower case, no accents). */
export const ideaWords = {
  left: {
    en: ['left(?:hand|fist)?', 'l(?=[\\s-]+(?:hand|fist))', 'lh'], de: ['link(?:e[rnsm]?|s)', 'linkshand'], fr: ['gauches?'], es: ['izquierd[ao]s?'], it: ['sinistr[aoei]'],
    pt: ['esquerd[ao]s?'], nl: ['linker(?:hand|vuist|voet)?'], ru: ['лев\\p{L}+'], zh: ['左'], ko: ['왼'],
  },
  right: {
    en: ['right(?:hand|fist)?', 'r(?=[\\s-]+(?:hand|fist))', 'rh'], de: ['recht(?:e[rnsm]?|s)', 'rechtshand'], fr: ['droite?s?'], es: ['derech[ao]s?'], it: ['destr[aoei]'],
    pt: ['direit[ao]s?'], nl: ['rechter(?:hand|vuist|voet)?'], ru: ['прав\\p{L}+'], zh: ['右'], ko: ['오른'],
  },
  both: {
    en: ['both', 'bilateral', 'two'], de: ['beid\\p{L}*'], fr: ['deux'], es: ['amb[ao]s', 'dos'], it: ['entramb[ie]', 'due'], pt: ['duas', 'dois'],
    nl: ['beide'], ru: ['об[ае]\\p{L}*', 'обе'], zh: ['双', '雙', '两', '両'], ko: ['양'],
  },
  hand: {
    en: ['hands?', 'fists?', '(?:left|right)(?:hand|fist)', 'lh', 'rh'], de: ['hande?', 'handbeweg\\p{L}*', 'handvorstell\\p{L}*', 'faust\\p{L}*', 'linkshand', 'rechtshand'], fr: ['mains?', 'poings?'],
    es: ['manos?', 'punos?'], it: ['man[oi]', 'pugn[oi]'], pt: ['maos?', 'punhos?'], nl: ['handen', '(?:linker|rechter)?vuist(?:en)?', '(?:linker|rechter)hand'],
    ru: ['рук\\p{L}*', 'кулак\\p{L}*'], zh: ['手', '拳'], ko: ['손', '주먹'],
  },
  /** More than one hand, where no side is said. */
  hands: {
    en: ['hands', 'fists'], de: ['hande', 'fauste'], fr: ['mains', 'poings'], es: ['manos', 'punos'], it: ['mani', 'pugni'], pt: ['maos', 'punhos'],
    nl: ['handen', 'vuisten'], ru: ['руки', 'рук', 'кулаки'],
  },
  foot: {
    en: ['feet', 'foot'], de: ['fuss(?:e[sn]?)?', 'fuss(?:beweg|vorstell)\\p{L}*'], fr: ['pieds?'], es: ['pies?'], it: ['pied[ei]'], pt: ['pes?'], nl: ['voet(?:en)?'],
    ru: ['ног\\p{L}*', 'стоп\\p{L}*'], zh: ['脚', '腳', '足'], ko: ['발'],
  },
  eyes: {
    en: ['eyes?', 'eyelids?'], de: ['augen?'], fr: ['yeux', 'paupieres'], es: ['ojos?'], it: ['occhi'], pt: ['olhos?'], nl: ['ogen'],
    ru: ['глаз\\p{L}*'], zh: ['眼', '目'], ko: ['눈'],
  },
  open: {
    en: ['open(?:ed)?'], de: ['offen\\p{L}*', 'auf', 'geoffnet\\p{L}*'], fr: ['ouverts?'], es: ['abiert[oa]s?'], it: ['apert[ioae]'], pt: ['abert[oa]s?'],
    ru: ['открыт\\p{L}*'], zh: ['睁', '睜', '開眼', '开眼', '開'], ko: ['뜬', '뜸', '뜨'],
  },
  closed: {
    en: ['closed?', 'shut'], de: ['zu', 'geschlossen\\p{L}*'], fr: ['fermee?s?'], es: ['cerrad[oa]s?'], it: ['chius[ioae]'], pt: ['fechad[oa]s?'],
    nl: ['dicht', 'gesloten'], ru: ['закрыт\\p{L}*'], zh: ['闭', '閉'], ko: ['감'],
  },
  rest: {
    en: ['rest(?:ing)?', 'idle', 'idling', 'relax\\p{L}*', 'baseline', 'no[\\s-]?(?:movements?|motion|imagery)', 'pause', 'nothing'],
    de: ['ruhe\\p{L}*', 'entspann\\p{L}*', 'keine bewegung'], fr: ['repos'], es: ['reposo', 'descanso'], it: ['riposo'], pt: ['repouso'], nl: ['rust'],
    ru: ['поко[йя]', 'отдых'], zh: ['休息', '静息', '靜息', '空闲', '安静', '休憩'], ko: ['휴식', '안정'],
  },
  move: {
    en: ['mov(?:e[sd]?|ing|ements?)', 'motions?', 'clench\\p{L}*', 'squeez\\p{L}*', 'grasp\\p{L}*', 'clos(?:e|es|ing) (?:and|/) open\\p{L}*', 'open\\p{L}* (?:and|/) clos(?:e|es|ing)'],
    de: ['\\p{L}*beweg\\p{L}*', 'ballen'], fr: ['mouvements?', 'boug\\p{L}*', 'serr\\p{L}*'], es: ['movimientos?', 'mov(?:er|ida|ido)s?', 'mueve\\p{L}*', 'apret\\p{L}*'],
    it: ['moviment[oi]', 'muov\\p{L}*', 'stringe\\p{L}*'], pt: ['movimentos?', 'mov(?:er|e)'], nl: ['beweg\\p{L}*'], ru: ['движени\\p{L}*'],
    zh: ['运动', '運動', '动作', '動作', '握'], ko: ['움직'],
  },
  imagined: {
    en: ['imagin\\p{L}*', 'imagery', 'kin(?:a)?esthetic\\p{L}*', 'covert\\p{L}*'], de: ['\\p{L}*vorstell\\p{L}*', '\\p{L}*vorgestellt\\p{L}*', 'gedacht\\p{L}*'],
    fr: ['imagerie'], es: ['imagen(?:es)? motor\\p{L}*'], it: ['immagin\\p{L}*'], pt: ['imagetica'],
    nl: ['ingebeeld\\p{L}*', 'verbeeld\\p{L}*', 'voorgesteld\\p{L}*'], ru: ['вообра\\p{L}*', 'мысленн\\p{L}*'], zh: ['想象', '想像', '想起', 'イメージ'], ko: ['상상'],
  },
  /** Words for executed movement. Other words of movement also mean it, if nothing is imagined. */
  executed: {
    en: ['execut\\p{L}*', 'real', 'actual\\p{L}*', 'overt\\p{L}*', 'physical\\p{L}*'], de: ['\\p{L}*ausgefuhr\\p{L}*', '\\p{L}*ausfuhr\\p{L}*', 'tatsachlich\\p{L}*', 'echte[rnsm]?'],
    fr: ['reel(?:le)?s?', 'effectu\\p{L}*'], es: ['ejecu\\p{L}*', 'reales'], it: ['esegu\\p{L}*', 'reale'], nl: ['uitgevoerd\\p{L}*', 'werkelijk\\p{L}*'],
    ru: ['реальн\\p{L}*', 'выполн\\p{L}*'], zh: ['执行', '執行', '实际', '実際', '実行'], ko: ['실제'],
  },
  /** Things that go to the left or right, so that a bare side is not a hand. */
  object: {
    en: ['cursors?', 'mouse', 'joysticks?', 'pointers?', 'balls?', 'paddles?', 'wheelchairs?', 'robots?', 'drones?', 'avatars?', 'vehicles?', 'cars?'],
    de: ['cursors?', 'mauszeiger\\p{L}*', 'rollst\\p{L}*', 'roboter\\p{L}*', 'ball'], fr: ['curseurs?', 'souris', 'fauteuils?', 'robots?'],
    es: ['cursor(?:es)?', 'raton', 'silla de ruedas', 'robots?'], it: ['cursor[ei]', 'carrozzin[ae]', 'robot'], pt: ['cursor(?:es)?', 'cadeira de rodas'],
    nl: ['cursors?', 'muis', 'rolstoel\\p{L}*'], ru: ['курсор\\p{L}*', 'робот\\p{L}*'], zh: ['光标', '游標', '鼠标', '轮椅', '机器人', 'カーソル'], ko: ['커서', '휠체어', '로봇'],
  },
  non_target: {
    en: ['(?:non|not|no|un)[\\s-]?targets?', 'unattended', '(?:non|not)[\\s-]attended'], de: ['nicht[\\s-]?ziel\\p{L}*'], fr: ['non[\\s-]?cibles?'],
    es: ['no[\\s-]?objetivos?'], it: ['non[\\s-]?bersagli\\p{L}*'], pt: ['nao[\\s-]?alvos?'], zh: ['非靶', '非目标', '非目標', '非標的'], ko: ['비표적'],
  },
  target: {
    en: ['targets?', 'attended'], de: ['ziel(?:reiz)?\\p{L}*'], fr: ['cibles?'], es: ['objetivos?', 'diana'], it: ['bersagli\\p{L}*'], pt: ['alvos?'],
    zh: ['靶', '目标', '目標', '標的', 'ターゲット'], ko: ['표적'],
  },
  speller: {
    en: ['p300', 'spellers?', 'flash\\p{L}*', 'intensifications?', 'brain invaders', 'row[\\s/-]*column'], de: ['buchstabier\\p{L}*', 'aufleucht\\p{L}*'],
    fr: ['epel\\p{L}*'], es: ['deletre\\p{L}*'],
  },
} as const satisfies Record<string, Lexicon>;

/** Abbreviations that count only in capitals or as a whole label. */
export const abbreviations: Readonly<Record<string, readonly (keyof typeof ideaWords)[]>> = {
  EO: ['eyes', 'open'],
  EC: ['eyes', 'closed'],
  LH: ['left', 'hand'],
  RH: ['right', 'hand'],
  MI: ['imagined'],
  ME: ['executed'],
  NT: ['non_target'],
};

/** Letters that count only as a whole label, in any case. */
export const letters: typeof abbreviations = { L: ['left'], R: ['right'] };

/** The cue of a trial is not its class. These words are removed before the search. */
export const cues: Lexicon = {
  en: ['(?:auditory|audio|acoustic|visual|sound|tone|beep|arrow|spoken|verbal|picture)[\\s-]+cue[sd]?', 'cue[\\s-]+(?:tones?|sounds?|arrows?|words?|pictures?)'],
  de: ['(?:ton|bild|hinweis)signal\\p{L}*'],
};

/**
 * Activities and stimuli that the reference recordings do not contain: other parts of the body, other senses, other
 * objects on the left or right.
 */
export const elsewhere: Lexicon = {
  en: ['ears?', 'tones?', 'sounds?', 'auditory', 'acoustic\\p{L}*', 'listen\\p{L}*', 'music\\p{L}*', 'speech', 'speak\\p{L}*', 'words?', 'syllables?', 'vowels?',
    '(?:visual|hemi)[\\s-]?fields?', 'hemifields?', 'attention', 'gaze', 'saccad\\p{L}*', 'blink\\p{L}*', 'wink\\p{L}*', 'eye[\\s-]?(?:movements?|blinks?|tracking)',
    '(?:moving|move) (?:the |your )?eyes?', 'turn(?:s|ing)?', 'steer\\p{L}*', 'driv(?:e|ing)', 'lanes?', 'buttons?', 'keys?', 'key ?press\\p{L}*', 'pictures?', 'photos?', 'images',
    'videos?', 'observ\\p{L}*', 'watch\\p{L}*', 'view(?:s|ing|ed)?', 'tactile', 'touch\\p{L}*', 'vibr\\p{L}*', 'stimulat\\p{L}*', 'electric\\p{L}*', 'ssveps?', 'flicker\\p{L}*',
    'fingers?', 'thumbs?', 'index', 'tongue', 'lips?', 'jaw', 'wrists?', 'elbows?', 'arms?', 'legs?', 'knees?', 'ankles?', 'toes?', 'shoulders?', 'heads?', 'walk\\p{L}*',
    'gait', 'hemispher\\p{L}*', '\\p{L}*handed(?:ness)?', 'doors?', 'boxes', 'valves?', 'hearing', 'tms', 'tdcs', 'sides?', 'drows\\p{L}*', 'asleep', 'sleep\\p{L}*',
    'anesthe\\p{L}*', 'anaesthe\\p{L}*', 'meditat\\p{L}*', 'arithmetic', 'pedals?', 'rotat\\p{L}*', 'lateralit\\p{L}*', 'rsvp', 'market\\p{L}*', 'marketing', 'frequenc\\p{L}*', 'attempt\\p{L}*', 'rubber hand'],
  de: ['ohr(?:en)?', '\\p{L}*tone?', 'gerausch\\p{L}*', 'hor(?:en|t)', 'musik', 'sprache', 'worter?', 'gesichtsfeld\\p{L}*', 'blick\\p{L}*', 'blinzel\\p{L}*', 'augenbeweg\\p{L}*',
    '\\p{L}*rotation\\p{L}*', '\\p{L}*finger\\p{L}*', 'daumen', 'zunge\\p{L}*', 'arme?', 'beine?', 'beinbeweg\\p{L}*', 'bilder?', 'beobacht\\p{L}*', 'schlaf\\p{L}*', 'lenk\\p{L}*', 'tast(?:e|en|end\\p{L}*)'],
  fr: ['oreilles?', 'sons?', 'auditi\\p{L}*', 'musique', 'mots?', 'paroles?', 'champs? visuels?', 'regard\\p{L}*', 'clign\\p{L}*', 'doigts?', 'pouces?', 'langue', 'bras', 'jambes?',
    'rotations?', 'observ\\p{L}*', 'virages?', 'sommeil'],
  es: ['orejas?', 'oidos?', 'sonidos?', 'tonos?', 'auditiv\\p{L}*', 'palabras?', 'campos? visual\\p{L}*', 'mirada', 'parpade\\p{L}*', 'dedos?', 'pulgar\\p{L}*', 'lengua', 'brazos?',
    'piernas?', 'imagenes', 'rotacion\\p{L}*', 'giros?', 'sueno'],
  it: ['orecchi\\p{L}*', 'suon[oi]', 'uditiv\\p{L}*', 'parol[ae]', 'camp[oi] visiv[oi]', 'sguardo', 'dit[ao]', 'pollic[ei]', 'lingua', 'bracci[ao]', 'gamb[ae]', 'rotazion[ei]', 'sonno'],
  pt: ['orelhas?', 'ouvidos?', 'sons', 'dedos?', 'lingua', 'bracos?', 'pernas?', 'sono'],
  nl: ['oor', 'oren', 'vingers?', 'tong', 'armen', 'benen', 'slaap'],
  ru: ['ух\\p{L}*', 'пал(?:ец|ьц)\\p{L}*', 'язык\\p{L}*', 'сон', 'взгляд\\p{L}*'],
  zh: ['手指', '指', '手臂', '腕', '腿', '舌', '耳', '声', '聲', '音', '图片', '視野', '视野', '注视', '眨', '睡'],
  ko: ['손가락', '혀', '귀', '소리', '수면'],
};
