import { list, type Lexicon } from '../lexicon.ts';

/** Words between two things that are contrasted. */
export const against: Lexicon = {
  any: ['\\bvs?\\b\\.?'],
  en: ['versus', 'or', 'against', 'from', 'compared (?:to|with)', 'rather than'],
  de: ['oder', 'gegen', 'gegenuber', 'von'],
  fr: ['ou', 'contre'],
  es: ['o', 'u', 'contra', 'frente a'],
  it: ['o', 'oppure', 'contro'],
  pt: ['ou'],
  nl: ['tegen'],
  ru: ['или', 'против'],
  zh: ['还是', '還是', '或者?', '对比', '對比', '对', '與', '与'],
  ja: ['対', 'または', 'もしくは', 'か', 'vs'],
  ko: ['대', '또는'],
};

/** Words between members of a list; weak evidence alone. */
export const listing: Lexicon = {
  en: ['and'], de: ['und'], fr: ['et'], es: ['y', 'e'], it: ['ed?'], pt: ['e'], nl: ['en'], ru: ['и'], zh: ['和', '及', '跟'], ja: ['と', 'や'], ko: ['와', '과'],
};

/** Words for recognition and detection: the purpose of a classifier. */
export const recognition: Lexicon = {
  en: [
    'recogni\\p{L}*', 'classif\\p{L}*', 'detect\\p{L}*', 'decod\\p{L}*', 'predict\\p{L}*', 'identif\\p{L}*', 'estimat\\p{L}*', 'infer\\p{L}*', 'discriminat\\p{L}*',
    'distinguish\\p{L}*', 'assess\\p{L}*', 'evaluat\\p{L}*', 'monitor\\p{L}*', 'determin\\p{L}*', 'measur\\p{L}*', 'screen\\p{L}*(?: for)?',
    'prognos\\p{L}*', 'categori[sz]\\p{L}*',
    'regress\\p{L}*', 'profil\\p{L}*', 'quantif\\p{L}*', 'grading', 'analysis', 'biomarkers?',
  ],
  de: ['\\p{L}*erkenn\\p{L}*', '\\p{L}*klassifi\\p{L}*', '\\p{L}*detektion', '\\p{L}*vorhersage\\p{L}*', '\\p{L}*schatz(?:ung|en)',
    '\\p{L}*bestimm(?:ung|en)', '\\p{L}*unterscheid\\p{L}*', '\\p{L}*beurteil\\p{L}*', '\\p{L}*identifi\\p{L}*', '\\p{L}*prognose',
    '\\p{L}*einstufung'],
  fr: ['reconna\\p{L}*', 'detecter', 'detection', 'predi\\p{L}*', 'estim(?:er|ation)', 'depist\\p{L}*', 'evaluation', 'identifier'],
  es: ['reconoc\\p{L}*', 'clasific\\p{L}*', 'detec\\p{L}*', 'predic\\p{L}*', 'predec\\p{L}*', 'estim(?:ar|acion)', 'identific\\p{L}*', 'evalua\\p{L}*', 'cribado'],
  it: ['riconosc\\p{L}*', 'classific\\p{L}*', 'rileva\\p{L}*', 'predi\\p{L}*', 'stima\\p{L}*', 'identific\\p{L}*', 'valuta\\p{L}*'],
  pt: ['reconhec\\p{L}*', 'classific\\p{L}*', 'detec\\p{L}*', 'detet\\p{L}*', 'predi\\p{L}*', 'estima\\p{L}*', 'identific\\p{L}*', 'avalia\\p{L}*',
    'triagem', 'rastreio'],
  nl: ['\\p{L}*herkenning', 'herkennen', '\\p{L}*detectie', '\\p{L}*classificatie', 'voorspel\\p{L}*'],
  ru: ['распозна\\p{L}*', 'классифи\\p{L}*', 'определ\\p{L}*', 'обнаруж\\p{L}*', 'предсказ\\p{L}*'],
  zh: ['识别', '識別', '分类', '分類', '检测', '檢測', '判断', '判斷', '预测', '預測', '估计', '估計', '辨识', '辨識', '评估', '評估', '区分', '解码', '筛查'],
  ja: ['認識', '識別', '分類', '検出', '推定', '判定', '判別', '予測', '評価', '検知', '同定'],
  ko: ['인식', '분류', '검출', '탐지', '예측', '추정', '판별', '식별'],
};

/** Words for recognition that must precede their object. */
export const telling: Lexicon = {
  en: ['sens(?:e|ing)', 'read(?:ing)?', 'tell(?:ing)?', 'guess\\p{L}*', 'separat\\p{L}*', 'find(?:ing)?', 'label(?:l?ing)?', 'track(?:ing)?',
    'grad(?:e|ing)', 'analy[sz]\\p{L}*', 'check\\p{L}*', 'know(?:ing)?', 'see if', 'which', 'what'],
  de: ['welche\\p{L}?', 'erkenn\\p{L}*'], fr: ['quelles?'], es: ['cuales?', 'que'], it: ['quale'], pt: ['qual', 'quais'],
};

/** A noun that may follow the decisive word: `depressed patients vs …`. */
export const bearer = `(?:[\\s-]+(?:${[
  ...list("patients? subjects? people persons? participants? individuals? groups? users? adults? children brains? eeg recordings? disease disorder syndrome sufferers? survivors? cohort activity"),
  ...list('faces? words? pictures? images? videos? films? movies? clips? music songs? sounds? stimul[ui]s? expressions? scenes? memories states? moods? feelings? emotions? scores? ratings? levels? speech voices? conditions? epochs? segments? periods? trials? events?'),
  ...list('patienten probanden personen gruppe menschen gesichter worter bilder musik sujets personnes visages musique sujetos pacientes personas caras musica soggetti pazienti persone volti sujeitos pessoas faces'),
].join('|')})){0,2}`;

/** Small words that may stand between `recognise` and what is recognised. */
export const fillers = `(?:\\s+(?:${[
  'of|the|an?|its|his|her|their|my|our|your|one|two|three|four|five|six|seven|basic|discrete|human|person(?:\'s)?|persons\'|people(?:\'s)?|(?:subject|participant|user|patient|driver|student|listener|viewer|player|individual|worker|child)(?:\'s|s\'|s)?|someone\'s|current|different|various|mental|brain|early|mild|severe|acute|chronic|early[\\s-]stage|onset|signs?|presence|automatic(?:ally)?|whether|if|has|have|having|had|is|are|with|patients? with|people with|possible|positive|negative|high|low|felt|induced|facial|between|level|levels|degree|type|types|state|states|risk|imminent|upcoming|major|clinical|binary|as|or|and|versus|vs\\.?|normal|healthy|controls?|from|to|by|por|par|per|nach|segun|according',
  'der|des|die|das|den|von|vom|einer?|eines|zwischen|frueher?|fruher?|menschlicher?|de|du|d\'|la|le|les|l\'|une?|des|entre|del|el|los|las|un|una|di|della|dei|delle|degli|il|lo|i|gli|do|da|dos|das|o|os|as|um|uma|humanas?|humaines?|umane|van|het|een|en',
].join('|')})){0,5}[\\s:-]*(?:[dl]')?`;
/** …and between what is recognised and `recognition`. */
export const between = '(?:[\\s-]+(?:disease|disorder|syndrome|states?|levels?|episodes?|onset|events?|risk|severity|symptoms?|stages?|types?|scores?|intensit(?:y|ies)|categor(?:y|ies)|class(?:es)?|valence|words))?';
export const fillersUnspaced = '(?:的|人的|人类|人類|用户|用戶|被试|受试者|参与者|患者|状态|狀態|水平|等级|等級|程度|早期|の|を|は|状態|度|レベル|者|症|病|发作|을|를|의|이|상태|환자|儿童|兒童|人群|人|组|群|児|受试者| )';

/** Words for stimuli: the class describes the stimulus, not the person. */
export const stimulus: Lexicon = {
  en: [
    'faces?', 'facial', 'voices?', 'speakers?', 'names?', 'words?', 'nouns?', 'pronouns?', 'pictures?', 'images?', 'photos?', 'photographs?',
    'portraits?', 'avatars?', 'characters?', 'stimul\\p{L}*', 'n170', 'speech', 'silhouettes?', 'bod(?:y|ies)', 'clothes', 'shoes',
    'connectors?', 'plugs?', 'sockets?', 'cats?', 'dogs?', 'mice', 'birds?', 'animals?', 'flowers?', 'grammatical', 'trees?', 'cars?', 'wine',
    'songs?', 'books?', 'houses?', 'buildings?', 'items?', 'objects?', 'sounds?', 'talkers?', 'narrators?', 'singers?',
  ],
  de: ['\\p{L}*gesicht\\p{L}*', '\\p{L}*stimme\\p{L}*', '\\p{L}*sprecher\\p{L}*', 'namen?', 'wort(?:er)?', '\\p{L}*bild(?:er|ern)?', 'fotos?', 'reize?'],
  fr: ['visages?', 'voix', 'mots?', 'noms?', 'images?', 'photos?', 'locuteurs?', 'stimul\\p{L}*'],
  es: ['caras?', 'rostros?', 'voz', 'voces', 'palabras?', 'nombres?', 'imagenes', 'fotos?', 'hablantes?', 'estimulos?'],
  it: ['volt[oi]', 'voc[ei]', 'parol[ae]', 'nom[ei]', 'immagin[ei]', 'foto', 'parlant[ei]', 'stimol[oi]'],
  pt: ['rostos?', 'faces?', 'voz', 'vozes', 'palavras?', 'nomes?', 'imagens?', 'fotos?', 'estimulos?'],
  nl: ['stem(?:men)?', 'gezicht(?:en)?', 'woord(?:en)?', 'naam', 'namen', "foto's", 'plaatjes?'],
  ru: ['голос\\p{L}*', 'лиц(?:а|о|ам|ах)?', 'слов(?:а|о|ам|ах)?', 'имена?', 'фотографи\\p{L}+', 'картин\\p{L}+'],
  zh: ['面孔', '人脸', '脸', '臉', '声音', '聲音', '语音', '图片', '圖片', '照片', '词', '詞', '刺激'],
  ja: ['顔', '声', '音声', '写真', '画像', '単語', '刺激', '名前'],
  ko: ['얼굴', '목소리', '사진', '단어', '자극'],
};
/** …unless the text says that it refers to people. */
export const people: Lexicon = {
  en: ['subjects?', 'participants?', 'persons?', 'people', 'users?', 'volunteers?', 'individuals?', 'patients?', 'brains?', 'students?', 'drivers?',
    'viewers?', 'listeners?'],
  de: ['probanden?', 'versuchspersonen', 'teilnehmer\\p{L}*', 'personen?', 'menschen'], fr: ['sujets?', 'personnes?', 'participants?'],
    es: ['sujetos?', 'personas?', 'participantes?'],
  nl: ['proefperso(?:on|nen)', 'personen', 'deelnemers?'], ru: ['испытуем\\p{L}+', 'участник\\p{L}*', 'людей', 'люди'],
  it: ['soggett[oi]', 'person[ae]', 'partecipant[ei]'], pt: ['sujeitos?', 'pessoas?', 'participantes?'], zh: ['被试', '受试者', '参与者'], ja: ['被験者', '参加者'], ko: ['피험자', '참가자'],
};

/** A negation before a word: `not for diagnosis`, `no emotion recognition`, `non-clinical`. */
export const negation = /(?:^|[^\p{L}])(?:not|no|non|never|without|excluding|except|isn't|nor|kein\p{L}*|nicht|ohne|pas|sans|jamais|sin|ningun\p{L}*|senza|sem|nao|geen|niet|без|не)(?:[\s-]+(?:for|of|a|an|any|the|about|used?|in|to|intended|as|meant|fur|zur|zum|eine?|pour|une?|de|du|d|le|la|para|uma|um|di|il|es|son|but|visee|objectif|fines?|finalidad|scopo|zwecke?|purposes?|clinical|medical|real)|d')*[\s-]*$|(?:不是|非|无|無|不用于|不做|没有|而非)$/u;
/** A negation after a word (Japanese). */
export const negationAfter = /^\p{L}{0,6}(?:ではない|ではありません|なし|しない|を目的としない|не)/u;
