import type { Lexicon } from '../lexicon.ts';

/** Events that only a diagnosis mentions: always clinical, as a class or as a finding. */
export const attacks: Lexicon = {
  en: ['seizures?', '(?:pre|inter|post)?[\\s-]?ictal', 'epileptiform(?: (?:discharges?|activity|spikes?|events?))?',
    'interictal epileptiform discharges?', 'ieds?', 'spike[\\s-](?:and[\\s-])?waves?', '(?:g|l)?pds', 'lateralized periodic discharges?',
    'convulsions?', 'absences? (?:epilepsy|seizures?)', 'hypopn\\p{L}*', 'apn(?:o?ea|oe)s?', 'burst suppression',
    'epileptic (?:spikes?|activity|discharges?)', 'triphasic waves?', 'epileptogenic zones?', '(?:fn|gn|sp|cp|ab|tn|tc|my)sz', 'spsw', '[gp]led', 'gped',
    '[lg]rda', 'swds?'],
  de: ['epilept\\p{L}*', '\\p{L}*anfalle?', '\\p{L}*anfallen', 'anfalls\\p{L}*', 'iktal\\p{L}*', 'interiktal\\p{L}*', 'apnoe\\p{L}*'],
  fr: ['crises?(?: d\'epilepsie| epileptiques?)?', 'intercritique\\p{L}*', 'preictal\\p{L}*', 'apnees?'],
  es: ['crisis(?: epileptica\\p{L}*| de epilepsia)?', 'convulsion(?:es)?', 'apneas?', 'ictal(?:es)?', 'preictal(?:es)?', 'interictal(?:es)?'],
  it: ['crisi(?: epilettic\\p{L}+| di epilessia)?', 'apne[ae]', 'intercritic\\p{L}+'],
  pt: ['crises?(?: epiletica\\p{L}*| epileptica\\p{L}*| de epilepsia)?', 'convuls(?:ao|oes)', 'apneias?'],
  ru: ['приступ\\p{L}*', 'эпилептич\\p{L}*'],
  zh: ['癫痫发作', '癲癇發作', '发作期', '发作间期', '呼吸暂停', '痫样放电', '棘波'],
  ja: ['てんかん発作', '発作', '無呼吸', '棘波'],
  ko: ['발작', '무호흡'],
};

/** Conditions a person has or has not. */
export const conditions: Lexicon = {
  en: [
    'epilep\\p{L}*', 'alzheimer(?:\'?s)?', 'dement\\p{L}*', 'mci', 'sepsis', 'septic', '(?:mild )?cognitive(?:ly)? (?:impair\\p{L}*|decline|disorders?|deficits?)',
    'parkinson\\p{L}*(?:\'s)?', 'schizophren\\p{L}*', 'psychos[ie]s', 'psychotic', 'bipolar', 'depress(?:ion|ed|ive)', 'mdd', 'suicid\\p{L}*',
    'manic', 'mania',
    'ptsd', 'post[\\s-]?traumatic stress', 'adhd', 'attention[\\s-]deficit\\p{L}*', 'autis\\p{L}*', 'asd', 'asperger\\p{L}*', 'dyslexi\\p{L}*',
    'dyscalcul\\p{L}*', 'strokes?', 'tbi', 'mtbi', 'concuss\\p{L}*', '(?:traumatic )?brain (?:injur\\p{L}*|damage|lesions?|death|tumou?rs?|disease)',
    'comatose', 'coma', 'vegetative(?: state)?', 'minimally conscious', 'uws', 'disorders? of consciousness',
    'huntington\\p{L}*(?:\'s)?', 'multiple sclerosis', 'amyotrophic lateral sclerosis', 'insomni\\p{L}*', 'narcolep\\p{L}*', 'sleep disorders?',
    'sleep apn\\p{L}*', 'osa', 'rbd', 'alcoholi\\p{L}*', 'addict\\p{L}*', 'substance (?:abuse|use disorder)', 'tumou?rs?', 'gliomas?',
    'encephalopath\\p{L}*', 'encephalitis', 'delirium', 'delirious',
    'migrain\\p{L}*', 'tinnitus', 'ocd', 'obsessive[\\s-]compulsive', 'anorexi\\p{L}*', 'bulimi\\p{L}*', 'neuropath\\p{L}*', 'cerebral palsy',
    'aphasi\\p{L}*', 'fibromyalgi\\p{L}*', 'anxiety disorders?', 'panic (?:disorder|attacks?)', 'personality disorders?',
    'mental (?:illness|disorders?)', 'psychiatric', 'neurological(?:ly)? (?:disorders?|diseases?|impaired|ill)', 'disorders?', 'diseases?',
    'syndromes?', 'patholog\\p{L}*',
    'diseased', 'neurodegenerat\\p{L}*', 'ischa?emi[ac]', 'ha?emorrhag\\p{L}*', 'hypoxi[ac]', 'down\'?s? syndrome', 'tourette\\p{L}*', 'dystonia',
    'essential tremor', 'ataxi[ac]', 'covid(?:-19)?', 'cancer', 'ftd', 'lewy bod(?:y|ies)', 'developmental delay', 'hearing[\\s-](?:loss|impaired)',
    'chronic pain', 'burn-?out', 'glaucoma', 'amblyopia', 'diabet\\p{L}*', 'gad', 'mtle', 'tle', 'mentally ill', 'internet gaming disorder', 'lesions?', 'lesioned',
    '(?:frontotemporal|vascular|senile) dement\\p{L}*', 'abstinen(?:t|ce)',
    '(?:heroin|cocaine|meth(?:amphetamine)?|opioid|opiate|cannabis|drug|alcohol)[\\s-](?:users?|abusers?|dependen(?:t|ce)|withdrawal)',
  ],
  de: [
    'epilep\\p{L}*', 'alzheimer\\p{L}*', 'dement', 'dement\\p{L}*', 'demenz\\p{L}*', 'parkinson\\p{L}*', 'schizophren\\p{L}*', 'depression\\p{L}*',
    'depressiv\\p{L}*', 'adhs', 'autismus', 'autistisch\\p{L}*', 'schlaganfall\\p{L}*', 'koma', 'wachkoma', 'schlafstorung\\p{L}*', 'schlaflosigkeit',
    'alkoholi\\p{L}*', 'migrane\\p{L}*', 'krank\\p{L}*', 'erkrankung\\p{L}*', 'storung(?:en)?', 'angststorung\\p{L}*',
    'hirnschad\\p{L}*', 'hirntumor\\p{L}*', 'psychose\\p{L}*', 'gehirnerschutterung\\p{L}*', 'legasthen\\p{L}*', 'multiple sklerose', 'pathologisch\\p{L}*', 'gestort',
  ],
  fr: ['epilep\\p{L}*', 'alzheimer', 'demence\\p{L}*', 'parkinson\\p{L}*', 'schizophren\\p{L}*', 'depression', 'depressif\\p{L}*',
    'depressive\\p{L}*', 'deprime\\p{L}*', 'tdah', 'autis\\p{L}*', 'avc', 'coma', 'insomni\\p{L}*', 'alcooli\\p{L}*', 'migrain\\p{L}*', 'maladies?',
    'malades?', 'troubles? (?:du|de la|de l\'|mentaux|cognitifs?|psychiatriques?)\\p{L}*', 'pathologi\\p{L}*', 'commotion', 'dyslexi\\p{L}*',
    'sclerose en plaques', 'bipolaires?'],
  es: ['epilep\\p{L}*', 'alzheimer', 'demencia\\p{L}*', 'parkinson\\p{L}*', 'esquizofreni\\p{L}*', 'depresion', 'depresiv[oa]s?', 'deprimid[oa]s?',
    'tdah', 'autis\\p{L}*', 'ictus', 'insomni\\p{L}*', 'alcoholi\\p{L}*', 'migrana\\p{L}*', 'enfermedad(?:es)?', 'enferm[oa]s?', 'trastornos?',
    'patologi\\p{L}*', 'dislexi\\p{L}*', 'esclerosis', 'deterioro cognitivo', 'conmocion cerebral'],
  it: ['epiless\\p{L}*', 'epilett\\p{L}*', 'alzheimer', 'demenza', 'parkinson\\p{L}*', 'schizofren\\p{L}*', 'depressione', 'depress[oiae]',
    'depressiv[oiae]', 'adhd', 'autis\\p{L}*', 'ictus', 'coma', 'insonni\\p{L}*', 'alcolis\\p{L}*', 'emicrani\\p{L}*', 'malatti[ae]', 'malat[oiae]',
    'disturb[oi] (?:del|dell\'|di|mental|psich)\\p{L}*', 'patologi\\p{L}*', 'dislessi\\p{L}*', 'sclerosi'],
  pt: ['epilep\\p{L}*', 'epilet\\p{L}*', 'alzheimer', 'demencia\\p{L}*', 'parkinson\\p{L}*', 'esquizofreni\\p{L}*', 'depressao', 'depressiv[oa]s?',
    'deprimid[oa]s?', 'tdah', 'autis\\p{L}*', 'avc', 'insoni\\p{L}*', 'alcoolis\\p{L}*', 'enxaqueca\\p{L}*', 'doenc\\p{L}+', 'doentes?',
    'transtornos?', 'patologi\\p{L}*', 'dislexi\\p{L}*', 'esclerose'],
  nl: ['epileps\\p{L}*', 'alzheimer', 'dementie', 'parkinson\\p{L}*', 'schizofren\\p{L}*', 'depressie\\p{L}*', 'depressief', 'autis\\p{L}*',
    'ziekte\\p{L}*', 'zieke?n?', 'stoornis\\p{L}*', 'beroerte'],
  ru: ['эпилепс\\p{L}*', 'альцгеймер\\p{L}*', 'деменц\\p{L}*', 'паркинсон\\p{L}*', 'шизофрен\\p{L}*', 'депресс\\p{L}*', 'аутизм\\p{L}*',
    'инсульт\\p{L}*', 'болезн\\p{L}*', 'больн\\p{L}*', 'диагноз\\p{L}*'],
  zh: ['癫痫', '癲癇', '阿尔茨海默', '阿茲海默', '老年痴呆', '痴呆', '失智', '帕金森', '精神分裂', '抑郁', '抑鬱', '忧郁症', '憂鬱症', '双相', '多动症', '過動', '自闭症', '自閉症', '孤独症', '中风', '中風',
    '脑卒中', '昏迷', '失眠', '酒精成瘾', '偏头痛', '疾病', '病症', '障碍', '病人', '患病', '轻度认知', '脑损伤', '焦虑症', '阅读障碍', '脑瘤'],
  ja: ['てんかん', 'アルツハイマー', '認知症', 'パーキンソン', '統合失調', 'うつ病', 'うつ', '鬱', '双極性', '自閉症', '発達障害', '脳卒中', '脳梗塞', '昏睡', '不眠症', 'アルコール依存', '片頭痛', '疾患', '病気',
    '障害', '患者群', '軽度認知', '脳損傷'],
  ko: ['뇌전증', '간질', '알츠하이머', '치매', '파킨슨', '조현병', '우울증', '자폐', '뇌졸중', '혼수', '불면증', '질환', '질병', '환자군', '장애'],
};

/** Abbreviations of conditions that are ordinary words unless in capitals. */
export const capitals = /(?<![A-Za-z])(?:ALS|AD|PD|MS|HC|SZ|BD|MDD|DOC|CIDP)(?![A-Za-z])/;
/** Diagnostic classes of people. */
export const sick: Lexicon = {
  en: ['patients?', 'sick', 'ill', 'abnormal', 'patholog\\p{L}*', 'diseased', 'unhealthy', 'cases?', 'affected', 'impaired', 'disordered'],
  de: ['patient(?:en|in|innen)?', 'krank\\p{L}*', 'auffallig\\p{L}*', 'abnormal\\p{L}*', 'pathologisch\\p{L}*'],
  fr: ['patient(?:e|s|es)?', 'malades?', 'anorma(?:l|ux|le|les)', 'pathologiques?'],
  es: ['pacientes?', 'enferm[oa]s?', 'anormal(?:es)?', 'patologic[oa]s?'],
  it: ['pazient[ei]', 'malat[oiae]', 'anormal[ei]', 'patologic[oaie]'],
  pt: ['pacientes?', 'doentes?', 'anorma(?:l|is)', 'patologic[oa]s?'],
  nl: ['patient(?:en)?', 'zieke?n?', 'abnormaa?l\\p{L}*'], ru: ['пациент\\p{L}*', 'больн\\p{L}*'],
  zh: ['患者', '病人', '异常', '異常'], ja: ['患者', '異常', '病的'], ko: ['환자', '비정상', '이상'],
};
export const well: Lexicon = {
  en: ['healthy', 'health', 'controls?', 'normals?', 'neurotypical\\p{L}*', 'hc', 'hcs', 'well', 'unaffected', 'typical(?:ly developing)?', 'td',
    'non[\\s-]?patients?', 'able[\\s-]bodied', 'unimpaired', 'intact'],
  de: ['gesund\\p{L}*', 'kontroll\\p{L}*', 'normal\\p{L}*', 'unauffallig\\p{L}*'],
  fr: ['sain[es]*', 'temoins?', 'controles?', 'norma(?:l|ux|le|les)', 'bien portants?'], es: ['san[oa]s?', 'controles?', 'normal(?:es)?',
    'saludables?'], it: ['san[oiae]', 'controll[oi]', 'normal[ei]'],
  pt: ['saudave(?:l|is)', 'sadi[oa]s?', 'controles?', 'controlos?', 'norma(?:l|is)'], nl: ['gezond\\p{L}*', 'controles?', 'normaal'],
    ru: ['здоров\\p{L}*', 'норм\\p{L}*', 'контрол\\p{L}*'],
  zh: ['健康', '正常', '对照', '對照'], ja: ['健常', '健康', '正常', '対照', '定型発達'], ko: ['건강', '정상', '대조'],
};
/** Words of illness that always refer to people. */
export const patients = /patient|pacient|pazient|sick|diseased|krank|malad|malat|enferm|doent|患者|病人|환자/u;
/** Contexts in which normal and abnormal do not refer to a person. */
export const notOfPeople: Lexicon = {
  en: ['foods?', 'snacks?', 'sentences?', 'words?', 'grammar', 'sounds?', 'tones?', 'pictures?', 'images?', 'photos?', 'gaits?', 'speed',
    'movements?', 'speech', 'music', 'road', 'driv\\p{L}*', 'machines?', 'motor', 'engine', 'keys?', 'buttons?', 'physics', 'scenes?', 'hands?', 'feet', 'foot', 'arms?', 'legs?', 'limbs?', 'sides?', 'wrists?', 'fingers?', 'imagery',
    'pitch', 'text', 'vision', 'letters?', 'videos?'],
  zh: ['食物', '图片', '句子'], ja: ['食品', '画像', '文'],
};

export const clinicalPhrases: readonly string[] = [
  'diagnos\\p{L}*', 'diagnost\\p{L}*', 'prognos(?:is|es|tic|tication|e|tizieren)',
  '(?:clinical|medical)[\\s-]+(?:use|decisions?|screening|assessments?|monitoring|predictions?|classification|outcomes?|tests?|support|detection|evaluations?|grading|scores?|purposes?|status)',
  'depth of ana?esthesia', 'ana?esthe(?:sia|tic) (?:depth|monitoring|level)',
  '(?:disease|symptom|illness) (?:severity|progression|detection|status|stages?)', 'severity of (?:the )?\\p{L}+',
  '(?:abnormal|patholog\\p{L}+) (?:eegs?|brains?|recordings?)', 'eeg abnormalit\\p{L}+',
  '(?:treatment|drug|therapy|medication|antidepressant|rtms|ect)[\\s-](?:response|responders?|outcome)s?',
  'responders? (?:vs\\.?|versus|or|and) non[\\s-]?responders?', 'triage', 'relapse (?:risk|prediction)',
  'risk of (?:dementia|stroke|suicide|epilep\\p{L}+|depression|psychosis|relapse)',
  'responses? to (?:the )?(?:\\p{L}+ ){0,2}(?:treatment|therapy|medication|rtms|drug|ect|antidepressants?|escitalopram|lithium|ketamine)',
  '(?:on|off)[\\s/-]+(?:vs\\.? )?(?:on|off) (?:medication|levodopa|l-dopa|dbs)', 'brain death',
  '(?:high|low|elevated)[\\s-](?:phq-?9|bdi(?:-ii)?|moca|mmse|hamd|madrs|panss|updrs)(?![\\p{L}\\p{N}])',
  '(?:phq-?9|bdi(?:-ii)?|moca|mmse|hamd|madrs|panss|updrs) ?(?:scores?|groups?|levels?|[<>≤≥=]|(?:high|low)(?![\\p{L}]))',
  'sick or (?:healthy|well)', '(?:amyloid|tau|apoe\\S?|hiv|antibody)[\\s-](?:positiv|negativ|carrier)\\p{L}*', 'spike detection', 'neonatal (?:seizures?|hie)', 'hypoxic[\\s-]ischemic', 'suicid\\p{L}+ (?:risk|ideation)',
  '(?:coma|comatose|cardiac arrest|neurological|mortality|survival)(?: patients?| survivors?)?[\\s-](?:outcomes?|recovery|prediction)',
  '(?:consciousness levels?|levels? of consciousness)(?: \\p{L}+){0,3} patients?', '(?:dis)?orders? of consciousness',
  '(?:epilepsie|anfalls|demenz|alzheimer|parkinson|depressions|krankheits|schizophrenie|autismus|schlaganfall|schlafstorungs|apnoe)\\p{L}*(?:erkenn|klassifi|detekt|detecti|vorhersag|schatz|bestimm|unterscheid)\\p{L}*',
  '\\p{L}*diagnos(?:e|en|tik|tisch\\p{L}*)', 'krankheits(?:erkennung|schwere|verlauf)', 'diagnosti\\p{L}*', 'depistage', 'diagnostico\\p{L}*',
  'diagnosi', 'диагност\\p{L}*',
  'responders? to (?:\\p{L}+ ){1,4}(?:vs\\.?|versus|or|against|and|from) non[\\s-]?responders?',
  '(?:beroerte|ziek|dement|patient(?:en)?) of (?:gezond\\p{L}*|normaa?l\\p{L}*|controles?)', 'gezond\\p{L}* of (?:beroerte|ziek|dement|patient(?:en)?)',
];
export const clinicalPhrasesUnspaced = '诊断|診斷|診断|预后|筛查疾病|疾病(?:检测|分类|识别)|진단|異常脳波|异常脑电|麻醉深度|麻酔深度|病情';
