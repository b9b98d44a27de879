import type { Lexicon } from '../lexicon.ts';

/** Sex, gender and age as classes of people. */
export const sexes: Lexicon = {
  en: ['(?:fe)?males?', 'm[ae]n', 'wom[ae]n', 'boys?', 'girls?', 'non-?binary', 'transgender', 'cisgender', 'masculine', 'feminine'],
  de: ['mannlich\\p{L}*', 'weiblich\\p{L}*', 'maennlich\\p{L}*', 'mann', 'manner\\p{L}*', 'maenner\\p{L}*', 'frau', 'frauen', 'junge[n]?', 'madchen'],
  fr: ['hommes?', 'femmes?', 'masculins?', 'feminins?', 'garcons?', 'filles?'],
  es: ['hombres?', 'mujer(?:es)?', 'masculin[oa]s?', 'femenin[oa]s?', 'varon(?:es)?', 'hembras?', 'machos?', 'nin[oa]s?'],
  it: ['uomo', 'uomini', 'donn[ae]', 'maschi[oi]?', 'femmin[ae]', 'maschil[ei]', 'femminil[ei]', 'ragazz[oaie]'],
  pt: ['homem', 'homens', 'mulher(?:es)?', 'masculin[oa]s?', 'feminin[oa]s?', 'menin[oa]s?'],
  nl: ['man', 'mannen', 'mannelijk', 'vrouw', 'vrouwen', 'vrouwelijk', 'jongens?', 'meisjes?'],
  ru: ['мужчин\\p{L}*', 'женщин\\p{L}*', 'мужск\\p{L}*', 'женск\\p{L}*'],
  zh: ['男性', '女性', '男人', '女人', '男生', '女生', '男孩', '女孩', '男女'],
  ja: ['男性', '女性', '男女', '男子', '女子'],
  ko: ['남성', '여성', '남자', '여자', '남녀'],
};
export const ages: Lexicon = {
  en: ['young(?:er)?', 'elder(?:ly)?', 'old(?:er)?', 'aged', 'adults?', 'child(?:ren)?', 'kids?', 'infants?', 'bab(?:y|ies)', 'toddlers?',
    '(?:pre|post)?[\\s-]?pub(?:ert|esc)\\p{L}*', 'adolescents?', 'teen(?:ager)?s?', 'seniors?', 'middle[\\s-]aged', 'newborns?', 'grown-?ups?', 'neonates?', 'minors?', 'millennials?',
    'pensioners?'],
  de: ['jung\\p{L}*', 'alt(?:e|er|en)?', 'altere\\p{L}*', 'aeltere\\p{L}*', 'erwachsene\\p{L}*', 'kind(?:er)?', 'senioren', 'jugendliche\\p{L}*'],
  fr: ['jeunes?', 'ages?', 'agee?s?', 'vieux', 'adultes?', 'enfants?', 'seniors?', 'adolescents?', 'personnes agees'],
  es: ['jovenes', 'joven', 'viej[oa]s?', 'ancian[oa]s?', 'mayores', 'adult[oa]s?', 'ninos', 'adolescentes?'],
  it: ['giovan[ei]', 'anzian[oi]', 'vecch[io]+', 'adult[oi]', 'bambin[oi]', 'adolescent[ei]'],
  pt: ['jovens', 'jovem', 'velh[oa]s?', 'idos[oa]s?', 'adult[oa]s?', 'criancas?', 'adolescentes?'],
  nl: ['jong(?:e|eren)?', 'oude?(?:ren)?', 'volwassenen?', 'kind(?:eren)?'],
  ru: ['молод\\p{L}*', 'пожил\\p{L}*', 'взросл\\p{L}*', 'дет(?:и|ей)', 'стар\\p{L}+'],
  zh: ['年轻人?', '年輕人?', '青年', '老年人?', '老人', '成人', '成年人', '儿童', '兒童', '孩子', '中年'],
  ja: ['若者', '若年者?', '高齢者?', '老人', '成人', '大人', '子供', '子ども', '小児'],
  ko: ['청년', '노인', '성인', '어린이', '아동', '고령자?'],
};
/** The attributes by name. */
export const attributes: Lexicon = {
  en: ['ages?', 'age groups?', 'decades? of (?:life|age)', 'brain[\\s-]ages?', 'chronological ages?', 'sex', 'genders?', 'biological sex', 'age and (?:sex|gender)',
    'demographics?', "(?:subject|participant|person|user)'?s? (?:age|sex|gender)"],
  de: ['alter', 'alters\\p{L}*', 'geschlecht', 'geschlechts\\p{L}*', 'hirnalter', 'gehirnalter\\p{L}*'],
  fr: ['age', 'sexe', 'genre', "l'age", 'age cerebral', "tranches? d'age"], es: ['edad(?:es)?', 'sexo', 'genero', 'grupos? de edad'], it: ['eta',
    "l'eta", 'sesso', 'genere', "fasci[ae] d'eta"], pt: ['idades?', 'sexo', 'genero', 'faixas? etarias?'],
  nl: ['leeftijd\\p{L}*', 'geslacht\\p{L}*'], ru: ['возраст\\p{L}*', 'пол(?:а|у)?'],
  zh: ['年龄', '年齡', '性别', '性別', '脑龄'], ja: ['年齢', '性別', '脳年齢', '年代'], ko: ['나이', '연령', '성별'],
};
/** Words for the bearer of the attribute. With another kind of task they only describe the participants. */
export const attributeOf: readonly string[] = [
  '(?:sex|gender|age) of (?:the |each |a )?(?:subject|participant|person|user|individual|volunteer|patient|wearer|human|people|owner|test person)s?(?! ?:? ?(?:\\d|unknown|varied|not ))',
  '(?:subject|participant|person|user)s?(?:\'s?)? (?:sex|gender|age)\\b(?! ?\\d)',
  '(?:leeftijd|geslacht) van (?:de |een |het )?(?:proefpersoon|persoon|deelnemer|gebruiker|patient|vrijwilliger)\\p{L}*(?! ?:? ?\\d)',
  '(?:возраст|пол) (?:испытуем|участник|человек|пользовател|субъект|доброволь)\\p{L}*(?! ?[:,–-]? ?(?:от )?\\d)',
];
/** The same in scripts without spaces. */
export const attributeOfUnspaced =
  '(?:被试|受试者|参与者|参加者|用户|被験者|利用者|本人)(?:的|の)(?:年龄|年齡|性别|性別|年齢)(?![：:は]?\\s*(?:为|是)?\\d)';

export const personPhrases: readonly string[] = [
  'how old', 'biological sex', '(?:alter|geschlecht) (?:aus|anhand|uber|mit) (?:dem |der |des |von )?(?:\\p{L}+[- ])?(?:\\p{L}*eeg|gehirn\\p{L}*|hirn\\p{L}*|schlaf\\p{L}*)', '(?:sex|gender|age) from (?:\\p{L}+ )?(?:eegs?|sleep|brain\\p{L}*|resting|erps?|signals?|recordings?)',
  '(?:over|under|above|below|older than|younger than) \\d{2}(?: years?(?: old)?)? (?:vs\\.?|versus|or|and) (?:over|under|above|below|older|younger)',
  '(?:alter|geschlecht|sexe|edad|sexo|genero|sesso|idade)\\s*[:=(]', 'brain[\\s-]age',
  '(?:gender|sex|age)[\\s-]+(?:recognition|classif\\p{L}+|detection|prediction|estimation|identification|decoding|regression|inference|profiling|determination|discrimination|bracket|band|decade|categor\\p{L}+|class(?:es)?|groups?)',
  '(?:age|sex|gender)\\s*(?:[:=(]|$)', '(?:sex|gender|age)\\s+(?:vs\\.?|versus|or|/)\\s+(?:sex|gender|age)',
  '(?:under|over|below|above|younger than|older than) \\d+ (?:years?|yo)?.{0,3}(?:vs\\.?|versus|or) ',
  '\\d+s? (?:vs\\.?|versus|or) \\d+s? (?:years?|yrs?)[\\s-]old', 'demographic (?:profil|classif|predict|attribut)\\p{L}*',
  '\\d+ ?[-–] ?\\d+ (?:vs\\.?|versus|or) \\d+ ?[-–] ?\\d+ (?:years?|yrs?|y)',
  '(?:alters|geschlechts)(?:erkennung|klassifikation|bestimmung|schatzung|vorhersage|gruppen?)', 'geschlecht de[sr] \\p{L}+', 'alter de[sr] \\p{L}+',
  'wie alt', '(?:age|sexe|genre) d(?:u|es|e la|e l\')\\s?(?:sujet|participant|personne)s?',
  '(?:edad|sexo|genero) del? (?:la |los )?(?:sujeto|participante|persona)s?',
  "(?:eta|sesso|genere) de(?:l|lla|i|gli) ?(?:soggett|partecipant|person)\\p{L}+", '(?:idade|sexo|genero) d[oa]s? (?:sujeito|participante|pessoa)s?',
];
export const personPhrasesUnspaced = '(?:性别|性別|年龄|年齡|年齢)(?:识别|識別|分类|分類|预测|預測|估计|判断|推定|判定|予測)|(?:성별|나이|연령) ?(?:인식|분류|예측|추정)|(?:男性?|女性?)(?:还是|或|か|与|對|对|vs)(?:男性?|女性?)|男女(?:分类|识别|判別|の判定|分類)';

/** Phrases for identifying a person. */
export const biometricPhrases: readonly string[] = [
  'biometr\\p{L}*', 'access control',
  'recogni\\p{L}* (?:the |a |each |which |individual |specific )*(?:persons?|people|individuals?|humans?) (?:by|from|via|using|based on|with) (?:their|his|her|its|the|an?|eeg|brain\\p{L}*|resting)',
  '(?:match|link|attribut|assign)\\p{L}* (?:an? |the |each )?(?:eegs?|recordings?|trials?|brain ?\\p{L}*|signals?|data)(?: \\p{L}+)? to (?:an? |the |its |their |each |one )*(?:person|subject|user|individual|participant|owner)s?',
  '(?:verif|comprob|control)\\p{L}* (?:de |d\'|dell\'|da |do |di )?(?:la |l\'|a )?identi(?:dade?|te|ta)', 'identitats\\p{L}*', 'identitat (?:der|des|einer?) (?:versuchsperson|person|proband|nutzer|benutzer)\\p{L}*', 'erkennung (?:der|einer|von) (?:person|versuchsperson|proband)\\p{L}*(?! (?:auf|im|in) )',
  '(?:brain|eeg|neural|cognitive)[\\s-]?(?:finger)?prints?\\p{L}*', 'brain fingerprinting', 'pass-?thoughts?', 'authenticat\\p{L}*',
  '(?:re-?)?identif\\p{L}+(?: of)?(?: an?| the| each| which| individual| specific| particular| different| individual)* (?:subject|person|user|individual|participant|human|people|owner|wearer|volunteer|student|employee|patient|driver)s?(?!\\s*\'|[\\s-]*(?:independent|specific|intent|choice))(?!\\p{L})',
  '(?<!(?:single|within|cross|inter|intra|between|per|multi|each|one|same|new|unseen|target)[\\s-]?)(?:subject|person(?:al|s)?|user|individual|participant|human|people|patient|owner|wearer)s?[\\s-]+(?:re-?)?(?:identif\\p{L}+|verif\\p{L}+|recognition|recogniser|identit(?:y|ies)|ids?|classif\\p{L}+|discrimination|retrieval|matching|lookup|tracking)',
  '(?:identity|identities) (?:of|verification|recognition|from eeg|based)\\b(?! (?:the )?(?:faces?|objects?|letters?|stimul\\p{L}+|tones?|words?|target))',
  'recogni[sz]\\p{L}* (?:the |a |each |which |individual |specific )*(?:subject|user|participant|wearer|owner)s?(?!\\s*\')',
  "who(?:'s| is| was) (?:it|this|that|the|wearing|using|being)(?!\\p{L}|(?: \\p{L}+)? (?:faces?|voices?|speakers?|talkers?|narrators?|actors?|characters?|singers?))", 'whose (?:eeg|brain|recording|data|signal)\\p{L}*',
  'which (?:of (?:the |our |these |my )?(?:\\d+ |two |three |four |five |ten |\\p{L}+ )?)?(?:subject|participant|user|individual|volunteer)s?\\b(?!\\s*\')',
  'which person (?:is|does|the|it|this|was|produced|recorded|generated|belongs)',
  'tell(?:ing)? (?:people|persons|subjects|participants|users|individuals|\\p{L}+ from \\p{L}+ by (?:their|his|her) (?:eeg|brain))(?: apart)?',
  'verif\\p{L}+ (?:the |a )?(?:user|person|identity|subject|claimed)',
  '(?:genuine|legitimate|authori[sz]ed|enrolled|registered) (?:user|person|subject)?s?.{0,4}(?:vs\\.?|versus|or) (?:an? )?(?:impost[eo]r|intruder|unauthori[sz]ed|stranger|attacker)s?',
  'impost[eo]rs?',
  '(?:user|subject|participant|owner) ?\\d* (?:vs\\.?|versus|or) (?:the |any |all )?(?:others?|rest|everyone|everybody|anyone|someone|impost[eo]rs?|strangers?|intruders?|users?|subjects?|participants?)(?: \\d+)?(?!\\p{L})',
  '(?:find|search for|retrieve|look ?up|match|link|locate|single out)(?:ing)? (?:an?|the|one|that|specific|particular|same|individual|this|known|\\s)*(?:person|individual|subject|user|participant|suspect)s?(?!\\s*\'|\\p{L})',
  '(?:log[\\s-]?in|unlock\\p{L}*) (?:by|with|via|using|from) (?:eeg|brain\\p{L}*)', 'subject[\\s-]id', 'de-?anonymi[sz]\\p{L}*', 're-?identification',
  'same (?:person|subject) or (?:not|different|another)', '(?:same|different) (?:person|subject)s? (?:vs\\.?|versus|or)',
  'person(?:en)?(?:identifi|erkennung|wiedererkennung|verifi)\\p{L}*', '(?:benutzer|nutzer|probanden)(?:identifi|authentifi|erkennung|verifi)\\p{L}*',
  'biometrisch\\p{L}*', 'authentifi\\p{L}*', 'welche[rs]? (?:proband|person|versuchsperson|teilnehmer)\\p{L}*',
  'identifi\\p{L}+ (?:der|des|von|einer?) (?:person|proband|versuchsperson|nutzer|benutzer)\\p{L}*', 'wer (?:ist|tragt|wurde)',
  'hirn-?fingerabdruck\\p{L}*',
  '(?:identif|reconna|verif|authentif)\\p{L}+ (?:de |d\'|du |des |la |le |les |l\'|un |une )*(?:personnes?|sujets?|individus?|utilisateurs?|participants?)',
  'biometri\\p{L}*', 'empreintes? (?:cerebrales?|eeg)', 'quel sujet', 'qui est',
  '(?:identif|reconoc|verif|autentic)\\p{L}+ (?:de |del |de la |la |el |al |a la |los |las |un |una )*(?:personas?|sujetos?|individuos?|usuarios?|participantes?)',
  'huella cerebral', 'autenticacion', 'quien es', 'que sujeto',
  '(?:identif|riconosc|verific|autentic)\\p{L}+ (?:di |del |della |dei |la |il |lo |le |l\'|un |una |dell\')*(?:person[ae]|soggett[oi]|individu[oi]|utent[ei]|partecipant[ei])',
  'autenticazione', 'impronta cerebrale', 'chi e\\s*[:?]?\\s*(?:il |lo |la |questo |questa )?(?:soggett|person|utent|partecipant)\\p{L}+', 'chi e il', 'quale soggetto',
  '(?:identif|reconhec|verific|autentic)\\p{L}+ (?:de |do |da |dos |das |o |a |um |uma )*(?:pessoas?|sujeitos?|individuos?|usuarios?|utilizador(?:es)?|participantes?)',
  'autenticacao', 'qual sujeito', 'quem e',
  'pers(?:oons|onen)(?:identificatie|herkenning|verificatie)', 'gebruikers(?:authenticatie|herkenning|identificatie)', 'wie is (?:dit|dat|het)(?!\\p{L}| (?:gezicht|stem))', '(?:proefpersoon|persoon|gebruiker|deelnemer)(?:en|s)? (?:te )?(?:identificeren|herkennen|verifieren)', 'identiteit van (?:de |een )?(?:gebruiker|persoon|proefpersoon|deelnemer)\\p{L}*', 'кто это(?!\\p{L}| (?:говорит|поет|на))', 'идентификац\\p{L}+ (?:испытуем|участник|субъект)\\p{L}*', '(?:проверк|распознавани|установлени|определени)\\p{L}+ (?:личности|испытуем\\p{L}+ по)', 'идентификац\\p{L}+ (?:личности|человека|пользовател\\p{L}+)', 'аутентификац\\p{L}+', 'биометр\\p{L}*',
];
export const biometricPhrasesUnspaced = '(?:识别|確認|确认|判断|辨认|验证).{0,6}身份|[谁誰]的(?:脑电|腦電|数据|信号)|誰の(?:脳波|データ|信号|脳)|身份(?:识别|識別|认证|認證|验证|驗證|鉴别)|(?:个人|個人|人员|用户|使用者|被试|受试者)(?:身份)?(?:识别|識別|认证|認證|验证)|生物(?:特征|識別|识别)|生体認証|個人(?:認証|識別|同定)|(?:ユーザー?|被験者|本人|人物)(?:の)?(?:認証|識別|特定|同定|確認)|脑纹|这是谁(?!的?(?:脸|面孔|声音|照片|在))|是?哪(?:个|位|名)(?:被试|受试者|用户)的(?!脸|面孔|声音)|これは誰(?!の(?:顔|声|写真))|どの(?:被験者|参加者|ユーザー?|利用者)の(?:脳波|データ|信号|記録)|개인 ?(?:식별|인증)|사용자 ?(?:식별|인증)|생체 ?인증|신원';
/** Labels that number people, if the description says that the task distinguishes people. */
export const numberedPerson = /^(?:s|p|sub|subj|id|u|vp|pp)[\s_.-]?\d{1,4}$/u;
/** Labels that name people. Bare `S1` does not: it is also a sleep stage or a stimulus. */
export const personLabel = /^(?:subject|subj|sub|participant|person|proband(?:in)?|versuchsperson|vp|user|volunteer|individual|patient|sujet|sujeto|soggetto|sujeito|persona|pessoa|personne|utente|usuario|被试|受试者|被験者|参加者|用户|피험자|пользователь|испытуемый)[\s#:.-]*(?:\d{1,4}|[a-h])$|^s0\d{1,2}$/u;
