import type { Lexicon } from '../lexicon.ts';

/** The idea itself. */
export const emotion: Lexicon = {
  en: ['emotions?', 'emotional', 'emotive', 'affect', 'affective', 'moods?', 'valence', 'feelings', 'sentiments?',
    '(?:emotional |affective |high |low )arousal', 'arousal', 'stress(?: levels?)?', 'anxiety(?: levels?)?', 'happiness', 'sadness', 'anger', 'fear',
    'disgust', 'frustration', 'boredom', 'amusement', 'empathy', 'enjoyment', 'annoyance', 'excitement'],
  de: ['emotion\\p{L}*', 'gefuhl(?:e|en)?', 'gefuhls\\p{L}*', 'affekte?', 'affektiv\\p{L}*', 'stimmung', 'stimmungs\\p{L}*', 'gemutszust\\p{L}*',
    'gemutslage', 'valenz', 'stress(?:level|niveau|pegel)?', 'angst', 'wut', 'freude', 'trauer', 'ekel'],
  fr: ['emotions?', 'emotionnel\\p{L}*', 'affectif\\p{L}*', 'affective\\p{L}*', 'humeur', 'sentiments?', 'etats? affectifs?', 'ressenti', 'joie',
    'tristesse', 'colere', 'peur', 'degout'],
  es: ['emocion(?:es)?', 'emocional(?:es)?', 'afectiv[oa]s?', 'estados? de animo', 'sentimientos?', 'valencia', 'alegria', 'tristeza', 'ira',
    'miedo', 'asco', 'estres', 'ansiedad'],
  it: ['emozion[ei]', 'emotiv[oiae]', 'emozional[ei]', 'affettiv[oiae]', 'umore', 'sentiment[oi]', 'valenza', 'felicita', 'gioia', 'tristezza',
    'rabbia', 'paura', 'disgusto', 'ansia'],
  pt: ['emoc(?:ao|oes)', 'emocional', 'emocionais', 'afetiv[oa]s?', 'humor', 'sentimentos?', 'valencia', 'alegria', 'tristeza', 'raiva', 'medo',
    'nojo', 'estresse', 'ansiedade'],
  nl: ['emotie\\p{L}*', 'gevoelens', 'stemming', 'gemoedstoestand', 'stress'],
  ru: ['эмоци\\p{L}*', 'настроени\\p{L}*', 'чувств\\p{L}*'],
  zh: ['情绪', '情緒', '情感', '心情', '效价', '唤醒度', '压力水平', '焦虑'],
  ja: ['感情', '情動', '気分', '情緒', 'ストレス', '快不快', '快・不快', '覚醒価'],
  ko: ['감정', '정서', '기분', '스트레스'],
};

/** Names of feelings. As classes they make the task one of affect. */
export const feelings: Lexicon = {
  en: [
    'happy', 'happiness', 'joy', 'joyful', 'joyous', 'sad', 'sadness', 'angry', 'anger', 'fear', 'fearful', 'afraid', 'scared', 'frightened',
    'terrified', 'disgust', 'disgusted', 'amused', 'amusement', 'excited', 'excitement', 'bored', 'boredom', 'frustrat(?:ed|ion)',
    'anxious', 'anxiety', 'worried', 'contempt', 'tenderness', 'grief', 'elation', 'melanchol(?:y|ic)', 'pleasant', 'unpleasant', 'pleased',
    'displeased', 'upset', 'cheerful', 'delighted', 'annoyed', 'nervous', 'emotional', 'unemotional', 'scary', 'horror', 'stressed', 'unstressed',
    'not stressed', 'non[\\s-]?stress(?:ed)?', 'lonel(?:y|iness)', 'nostalgi[ac]',
    '(?:high|low|positive|negative|neutral)[\\s-]+(?:valence|arousal|affect|emotions?|moods?|feelings?|dominance|stress|anxiety)',
    '(?:good|bad|low|high|elevated) moods?', '[hl]v[hl]a', '[hl]a[hl]v', 'valence', 'happier', 'sadder',
    'hat(?:e|red)', 'rage', 'furious', 'fury', 'awe', 'sorrow(?:ful)?', 'despair', 'hopeless(?:ness)?', 'gloomy', 'miserable', 'jealous(?:y)?',
    'ashamed', 'shame', 'embarrass(?:ed|ment)', 'pride', 'proud', 'enthusias(?:m|tic)', 'euphori[ac]', 'ecsta(?:sy|tic)', 'horrified', 'irritated',
    'distress(?:ed)?', 'affection', '(?:dis)?pleasure', 'gratitude', 'grateful', 'hostil(?:e|ity)',
  ],
  de: ['glucklich\\p{L}*', 'gluecklich\\p{L}*', 'frohlich\\p{L}*', 'froehlich\\p{L}*', 'freude', 'freudig\\p{L}*', 'traurig\\p{L}*', 'trauer',
    'wutend\\p{L}*', 'wuetend\\p{L}*', 'wut', 'zornig\\p{L}*', 'argerlich\\p{L}*', 'angst', 'angstlich\\p{L}*', 'aengstlich\\p{L}*', 'ekel',
    'gelangweilt\\p{L}*', 'gestresst\\p{L}*', 'angenehm\\p{L}*', 'unangenehm\\p{L}*'],
  fr: ['heureu\\p{L}+', 'joie', 'joyeu\\p{L}+', 'tristes?', 'tristesse', 'colere', 'peur', 'degout', 'effraye\\p{L}*', 'anxieu\\p{L}+',
    'stresse\\p{L}*', 'en colere', 'agreables?', 'desagreables?'],
  es: ['feliz', 'felices', 'felicidad', 'alegr(?:e|es|ia)', 'tristes?', 'tristeza', 'enojad[oa]s?', 'enfadad[oa]s?', 'enojo', 'ira', 'miedo',
    'asustad[oa]s?', 'asco', 'ansios[oa]s?', 'estresad[oa]s?', 'agradables?', 'desagradables?'],
  it: ['felic[ei]', 'felicita', 'gioia', 'trist[ei]', 'tristezza', 'arrabbiat[oaie]', 'rabbia', 'paura', 'spaventat[oaie]', 'disgusto',
    'ansios[oaie]', 'stressat[oaie]', 'piacevol[ei]', 'spiacevol[ei]'],
  pt: ['felizes', 'feliz', 'felicidade', 'alegr(?:e|es|ia)', 'tristes?', 'tristeza', 'zangad[oa]s?', 'raiva', 'medo', 'assustad[oa]s?', 'nojo',
    'ansios[oa]s?', 'estressad[oa]s?', 'agradave(?:l|is)', 'desagradave(?:l|is)'],
  nl: ['blije?', 'droevige?', 'vrolijke?', 'verdrietige?', 'boos', 'bang', 'gestrest'],
  ru: ['счаст\\p{L}*', 'радост\\p{L}*', 'груст\\p{L}*', 'печал\\p{L}*', 'гнев\\p{L}*', 'страх\\p{L}*', 'злость', 'отвращени\\p{L}*'],
  zh: ['高兴', '高興', '快乐', '快樂', '开心', '開心', '悲伤', '悲傷', '难过', '難過', '愤怒', '憤怒', '生气', '生氣', '恐惧', '恐懼', '害怕', '厌恶', '厭惡', '焦虑', '喜悦', '愉快', '不愉快', '积极情绪', '消极情绪'],
  ja: ['喜び', '嬉しい', '楽しい', '幸せ', '悲しみ', '悲しい', '怒り', '恐怖', '怖い', '嫌悪', '不安', '喜怒哀楽', '快い', '不快'],
  ko: ['행복', '기쁨', '슬픔', '슬픈', '분노', '공포', '두려움', '혐오', '불안'],
};

/**
 * Weak evidence alone: `positive`, `negative`, `neutral`, `calm` are feelings only together with stimuli that evoke
 * emotions.
 */
export const polarities = /^(?:(?:very )?(?:positive|negative|neutral|pos|neg|neu|calm|relaxed|high|low|positiv|negativ|positif|negatif|neutre|positivo|negativo|neutro|neutrale|позитивн\p{L}*|негативн\p{L}*|нейтральн\p{L}*|положительн\p{L}*|отрицательн\p{L}*|积极|消极|中性|正性|负性|ポジティブ|ネガティブ|ニュートラル|中立)(?: (?:class|state|condition|clips?|films?|videos?|pictures?|images?|music|stimul\p{L}+))?)$/u;
export const moving: Lexicon = {
  en: ['films?', 'movies?', 'clips?', 'videos?', 'iaps', 'iads', 'oasis', 'seed', 'seed[\\s-]?(?:iv|v|vii|vig|fra|ger)', 'deap', 'dreamer',
    'amigos', 'faced', 'mahnob(?:-hci)?', 'dens', 'trailers?', 'affective', 'affect', 'emotion\\p{L}*', 'moods?', 'feel(?:s|ing|ings)?'],
  de: ['film\\p{L}*', 'emotion\\p{L}*', 'gefuhl\\p{L}*'], fr: ['films?', 'extraits?', 'emotion\\p{L}*'], es: ['peliculas?', 'videos?',
    'emocion\\p{L}*'], it: ['film', 'emozion\\p{L}*'], pt: ['filmes?', 'emoc\\p{L}*'],
  ru: ['фильм\\p{L}*', 'видео', 'эмоци\\p{L}*'], zh: ['电影', '视频', '影片', '情绪', '情感'], ja: ['映画', '動画', '映像', '感情'],
};
/** …and not beside these. */
export const unmoved: Lexicon = {
  en: ['feedback', 'reward\\p{L}*', 'outcomes?', 'polarit\\p{L}*', 'numbers?', 'integers?', 'deflections?', 'currents?', 'voltages?', 'probes?',
    'control', 'charge', 'anodal', 'cathodal', 'sleep', 'workload', 'load', 'difficulty', 'priming', 'prime', 'pitch', 'tones?', 'contrast',
    'spatial', 'frequency'],
};

/** Whole phrases. */
export const emotionPhrases: readonly string[] = [
  '(?:emotional|affective|mood|emotion|psychological|mental health)[\\s-]+(?:states?|responses?|reactions?|experiences?|valence|arousal|engagement|computing|categor\\p{L}+|ratings?|labels?|dimensions?|class(?:es)?|content|intensity|quadrants?|profiles?|status|polarity|tone of (?:the )?(?:user|subject|participant|person))',
  '(?:felt|elicited|induced|evoked|perceived|experienced|self[\\s-]reported) (?:emotions?|affect|moods?|feelings|valence|arousal)', '(?:emotions?|feelings|moods?) (?:felt|elicited|induced|evoked|of the|while|during|when|from)',
  '(?:high|low|positive|negative)(?: (?:vs\\.?|versus|or|and) |/)(?:high|low|positive|negative)(?: or neutral)? (?:valence|arousal|affect|emotions?|moods?|dominance|stress|anxiety)', '(?:valence|arousal|stress|anxiety)[:,]? (?:high|low)',
  '(?:anxiety|stress|happiness|moods?|anger|fear|frustration|boredom) (?:levels?|scores?|ratings?|intensit(?:y|ies))', 'valence (?:levels?|scores?)',
  '(?:emotional|affective) (?:vs\\.?|versus|or) ', 'how (?:the |a )?(?:\\p{L}+ )?(?:feels?|is feeling)', 'seed[\\s-](?:iv|v|vii)', 'deap dataset',
  'emotion(?:s|al)?\\s*(?:[:(\\-–=]|$)', '(?:moods?|sentiment|valence|affect|feelings?|stimmung|humeur|humor|umore|stress(?: level)?)\\s*[:=]',
  '(?:emotions?|emotional|affect|affective|moods?|stress)(?: eegs?)? (?:data ?sets?|data ?bases?|data|corpus|corpora)',
  'sentiments? of (?:the |a )?(?:user|subject|participant|person|listener|viewer|customer)s?', 'facial emotions?',
  'stress(?:ed)? (?:vs\\.?|versus|or) (?:relax\\p{L}*|calm|no stress|rest|unstressed|not stressed|baseline|normal)',
  '(?:relax\\p{L}*|calm|no stress|rest|baseline) (?:vs\\.?|versus|or) stress(?:ed)?',
  '(?:emotion|gefuhl|stimmung|affekt|stress)\\p{L}*(?:erkenn|klassifi|detekt|vorhersag|schatz|bestimm|unterscheid|analys|zust)\\p{L}*', 'emotie(?:herkenning|detectie|classificatie)',
  'etats? (?:emotionnels?|affectifs?)', 'estados? (?:emocional|emocionais|emocionales|afectivos?|de animo)',
  'stat[oi] (?:emotiv|affettiv|emozional)\\p{L}+', 'gemutszust\\p{L}+', 'emotionale\\p{L}* zust\\p{L}+', 'gefuhlszust\\p{L}+',
  'эмоциональн\\p{L}+ (?:состояни|возбужден|реакци)\\p{L}*',
  '(?:arousal (?:levels?|scores?|ratings?)|levels? of arousal)(?: \\p{L}+){0,5} (?:films?|movies?|clips?|videos?|trailers?|cartoons?|music|songs?|pictures?|games?|adverts?)',
  '(?:films?|movies?|clips?|videos?|trailers?|music|songs?|pictures?|games?)(?:[ ,:]+\\p{L}+){0,3}[ ,:]+(?:arousal (?:levels?|scores?|ratings?)|levels? of arousal)',
  'erregungs(?:niveau|level|grad|stufe)\\p{L}*(?: \\p{L}+){0,4} (?:\\p{L}*film\\p{L}*|\\p{L}*video\\p{L}*|musik\\p{L}*|bild\\p{L}*|\\p{L}*spiel\\p{L}*)', 'gefuhlslage\\p{L}*',
  '(?:angst|wut|freude|trauer|ekel)(?: \\p{L}+){0,3} (?:erkennen|messen|klassifizieren|vorhersagen)',
  "(?:niveau|degre)s? d'(?:excitation|activation) (?:emotionnelle|affective)", '(?:nivel|grado)(?:es)? de (?:activacion|excitacion) (?:emocional|afectiva)',
  '(?:livello|livelli|grado) di (?:attivazione|eccitazione) (?:emotiva|affettiva|emozionale)', '(?:nivel|grau) de (?:ativacao|excitacao) (?:emocional|afetiva)',
  'emotionele? (?:toestand|staat|reacties?|opwinding)',
  '(?:humeur|etat d\'ame) (?:du|de la|de l\'|des) ?(?:sujet|participant|personne|utilisateur|joueur|conducteur)\\p{L}*', 'umore (?:del|della|dell\'|dei) ?(?:soggett|partecipant|person|utent|giocator)\\p{L}+',
  'humor d[oae]s? (?:sujeito|participante|pessoa|usuario|jogador)s?', 'stemming van (?:de |een )?(?:proefpersoon|persoon|deelnemer|gebruiker|speler)\\p{L}*',
  '(?:stimmung|gemutslage) (?:der|des|von) (?:versuchsperson|person|proband|teilnehm|nutzer|spieler)\\p{L}*',
  'настроени\\p{L}+ (?:испытуем|участник|человек|пользовател|игрок)\\p{L}*',
];
export const emotionPhrasesUnspaced = '情绪状态|情緒狀態|情感状态|情绪(?:识别|分类)|感情状態|感情(?:認識|推定|分類)|情動(?:認識|推定)|감정 ?(?:인식|분류|상태)|正负(?:性)?情绪|积极.{0,3}消极.{0,3}情绪|喜怒哀楽|(?:电影|影片|视频|音乐|图片).{0,8}唤醒度|(?:被试|受试者|参与者|用户|玩家|学生|司机)的?(?:心情|情绪|感受)|(?:检测|识别|判断)(?:被试|受试者|参与者|用户|玩家|学生|司机)的?(?:恐惧|愤怒|悲伤|快乐|焦虑|厌恶)|覚醒価|(?:被験者|参加者|利用者|視聴者)の(?:気分|感情|気持ち)';
