import type { Lexicon } from '../lexicon.ts';

/** Words that name a kind of task, by language; label patterns over plain text, whole labels. */
export const flicker: Lexicon = {
  en: ['ssveps?', 'ssvp', 'steady[\\s-]state visual\\p{L}*', 'flicker\\p{L}*', 'frequency[\\s-]tagg\\p{L}*', 'assr', 'sssep'],
  de: ['flacker\\p{L}*', 'flimmer\\p{L}*'], fr: ['scintill\\p{L}*', 'pevss?'], es: ['parpade\\p{L}*'], it: ['sfarfall\\p{L}*'], pt: ['cintil\\p{L}*'],
  zh: ['稳态视觉', '穩態視覺', '闪烁', '閃爍'], ja: ['定常状態視覚', '点滅', 'フリッカー'], ko: ['깜박임', '정상상태 시각'],
};

export const sleeping: Lexicon = {
  en: ['sleep[\\s-]+(?:stag\\p{L}*|scor\\p{L}*|phases?|classif\\p{L}*|states?)', 'stag(?:e|ing) (?:of )?sleep', 'hypnogram\\p{L}*',
    'polysomnogra\\p{L}*', 'psg', 'n?rem', 'stage (?:n[1-4]|[1-4]|w|r)', 'n1[\\s,/]+n2', 'sleep (?:vs\\.?|versus|or|/) wak\\p{L}*',
    'wak\\p{L}* (?:vs\\.?|versus|or|/) (?:sleep|asleep)', 'aasm', '30[\\s-]?s(?:econds?)? (?:sleep )?epochs? of sleep'],
  de: ['schlafstadi\\p{L}*', 'schlafphasen?\\p{L}*', 'schlafstufen?'], fr: ['stades? d[eu] sommeil', 'phases? d[eu] sommeil'],
    es: ['(?:fases?|etapas?|estadios?) d[e]l? sueno'], it: ['(?:stadi|fasi|stadio|fase) d(?:el|i) sonno'],
  pt: ['(?:estagios?|fases?) d[eo] sono'], nl: ['slaapstadi\\p{L}*', 'slaapfasen?'], ru: ['стади\\p{L}+ сна', 'фаз\\p{L}+ сна'],
  zh: ['睡眠分期', '睡眠阶段', '睡眠階段', '睡眠分级'], ja: ['睡眠段階', '睡眠ステージ', '睡眠深度'], ko: ['수면 ?단계'],
};
export const sleepLabels = '(?:(?:sleep )?(?:stage )?(?:w|wake|awake|n[1-4]|s[1-4]|r|rem|nrem ?[1-4]?|non-?rem|sws|deep sleep|light sleep|mt|movement time|wach|eveil|despierto|veglia|vigilia|清醒|覚醒|浅い睡眠|深い睡眠)(?: sleep)?|(?:sleep )?stage ?[0-4?wr])';

/** Explicit words for movement, which outweigh words of event-related potentials. */
export const motorOverrides: Lexicon = {
  en: ['motor[\\s-]+imag\\p{L}*',
    'imag\\p{L}+ (?:of )?(?:the )?(?:(?:left|right|both|hand|hands|feet|foot|fist|fists|finger|tongue|or|and|vs\\.?|of) )*(?:movements?|motion|hands?|feet|foot|fists?|fingers?|tongue|grasp\\p{L}*|wrist|elbow|arms?|legs?|walking|squeez\\p{L}*|clench\\p{L}*)',
    '(?:hands?|feet|foot|fists?|fingers?|tongue|wrist|elbow|arms?|legs?|movements?|grasp|limb) (?:motor )?imag(?:ery|ination|ining)',
    'imagery (?:of|:) (?:the )?(?:left|right|both|hands?|feet|foot|fists?|tongue)',
    '(?:kin(?:a)?esthetic|motor) (?:imagery|imagination|execution|attempts?)', 'erd/?ers', 'mi[\\s-]bci', 'mu rhythm', 'sensorimotor rhythms?',
    'attempted (?:movements?|hand|arm|finger)'],
  de: ['bewegungsvorstell\\p{L}*', 'motorische\\p{L}* (?:vorstellung|imagination)', '(?:hand|fuss|finger)\\p{L}*vorstellung',
    'vorgestellte\\p{L}* (?:\\p{L}+ )?(?:bewegung|hand|fuss)\\p{L}*'],
  fr: ['imagerie motrice', 'imagination (?:du |de |d\'un )?mouvements?'], es: ['imaginacion motora', 'imagineria motora', 'imagen(?:es)? motoras?',
    'imagina\\p{L}* (?:el |del? )?movimientos?'], it: ['immaginazione motoria', 'immaginazione del movimento',
    'immagin\\p{L}+ (?:di )?(?:un )?moviment\\p{L}+'],
  pt: ['imagetica motora', 'imaginacao motora', 'imaginacao (?:de|do) movimentos?'], nl: ['motorische verbeelding', 'ingebeelde beweging\\p{L}*'],
    ru: ['воображаем\\p{L}+ движени\\p{L}*', 'моторн\\p{L}+ (?:образ|воображени)\\p{L}*'],
  zh: ['运动想象', '運動想像', '运动想像', '想象.{0,4}运动', '想象.{0,3}手'], ja: ['運動想起', '運動想像', '運動イメージ', 'イメージ運動'], ko: ['운동 ?상상', '동작 ?상상'],
};

export const erp: Lexicon = {
  en: ['erps?', 'event[\\s-]related(?: potentials?)?', 'p3(?:00)?[ab]?', 'p600', 'p1(?:00)?', 'n1(?:00)', 'n170', 'n2(?:00)?pc', 'n400', 'mmn',
    'mismatch negativit\\p{L}*', 'odd-?ball', 'ern', 'frn', 'errps?', 'error[\\s-]related', 'lrp', 'lpp', 'evoked (?:potentials?|responses?)',
    'veps?', 'aeps?', 'c-?veps?', 'targets?', 'non-?targets?', 'devian(?:t|ce)s?', 'rsvp', 'spellers?', 'feedback negativity',
    'novel (?:vs\\.?|versus|or) standard', 'congruen(?:t|ce)', 'incongruen(?:t|ce)', 'go/?[\\s-]?no-?go',
    'words? (?:vs\\.?|versus|or|and) (?:non|pseudo)-?words?',
    'faces? (?:vs\\.?|versus|or|and) (?:houses?|cars?|objects?|scrambled|non-?faces?|scenes?|places?)', 'erp core'],
  de: ['ereigniskorrelier\\p{L}*', 'evoziert\\p{L}*', 'zielreiz\\p{L}*', 'seltene\\p{L}* tone?'], fr: ['potentiels? evoques?', 'cibles?',
    'non[\\s-]cibles?'], es: ['potenciales? evocados?', 'objetivo (?:vs\\.?|o|frente a|contra) no[\\s-]objetivo', 'diana'],
    it: ['potenzial[ei] evocat[oi]', 'bersaglio'], pt: ['potencia(?:l|is) evocados?', 'alvo'],
  nl: ['doelstimul\\p{L}*'], ru: ['вызванн\\p{L}+ потенциал\\p{L}*', 'целев\\p{L}+ стимул\\p{L}*'], zh: ['事件相关电位', '诱发电位', '誘發電位', '目标刺激', '靶刺激',
    '非靶', '非目标'], ja: ['事象関連電位', '誘発電位', '標的', 'ターゲット', '非標的', 'オドボール'], ko: ['사건 ?관련 ?전위', '유발 ?전위', '표적'],
};
export const erpLabels = '(?:(?:non|no|not|un)?[\\s-]?(?:targets?|attended|oddball)|oddball|standards?|devian(?:t|ts)|novels?|novelty|rare|frequent|distract[oe]rs?|probes?|irrelevants?|errors?|correct|incorrect|congruent|incongruent|related|unrelated|go|no-?go|faces?|houses?|cars?|scrambled(?: faces?| cars?)?|words?|(?:non|pseudo)-?words?|p300|cible|non-?cible|靶|非靶|目标|非目标|標的|非標的)';

export const motor: Lexicon = {
  en: ['(?:hand|foot|feet|finger|fist|tongue|wrist|elbow|arm|leg|limb|shoulder|ankle|knee|thumb|toe|lip|jaw)s? (?:movements?|motions?|lift\\p{L}*|tap\\p{L}*|grasp\\p{L}*|flexion|extension|open\\p{L}*|clench\\p{L}*|squeez\\p{L}*)',
    '(?:left|right|both)[\\s-]+(?:hands?|fists?|f(?:oo|ee)t|fingers?|arms?|legs?|wrists?|index|thumb)',
    '(?:left|right) (?:vs\\.?|versus|or|and|/) (?:left|right)[\\s-]+(?:hands?|fists?|f(?:oo|ee)t|fingers?|arms?|legs?|index|thumb)',
    'hands? (?:vs\\.?|versus|or|and|/) f(?:ee|oo)t', 'fists?', 'finger tapping', 'moving', 'movements?',
    'motor (?:task|execution|intention|imagery|preparation)', 'grasp\\p{L}*', 'reach(?:ing)?', 'gestures?', 'imagery', 'kick\\p{L}*', 'walk(?:ing)?',
    'squeez\\p{L}*', 'clench\\p{L}*', 'button press\\p{L}*', 'key ?press\\p{L}*', 'readiness potential', 'flexion', 'supination', 'pronation', 'mi'],
  de: ['bewegung\\p{L}*', '(?:link|recht)\\p{L}* (?:oder \\p{L}+ )?(?:hand|faust|fuss|finger)\\p{L}*', 'faust\\p{L}*', 'handbewegung\\p{L}*',
    'beide (?:fauste|fusse|hande)'], fr: ['mouvements?', 'main (?:gauche|droite)', 'poings?', 'pieds?', 'serrer'],
  es: ['movimientos?', 'mano (?:izquierda|derecha)', 'punos?', 'pies'], it: ['moviment[oi]', 'mano (?:sinistra|destra)', 'pugn[oi]', 'piedi'],
    pt: ['movimentos?', 'mao (?:esquerda|direita)', 'punhos?', 'pes'], nl: ['beweging\\p{L}*', '(?:linker|rechter)hand', 'vuist\\p{L}*'],
    ru: ['движени\\p{L}*', '(?:лев|прав)\\p{L}+ рук\\p{L}*', 'кулак\\p{L}*'],
  zh: ['左手', '右手', '左右手', '双脚', '雙腳', '握拳', '动作', '抓握'], ja: ['左手', '右手', '両足', '両手', '握る', '動作', '運動'], ko: ['왼손', '오른손', '양손', '양발', '움직임'],
};
export const motorLabels = '(?:(?:(?:imagined?|imagery|executed|real|attempted) )?(?:left|right|both|l|r)?[\\s-]*(?:hands?|fists?|feet|foot|fingers?|index|arms?|legs?|tongue|thumb|wrist|elbow|grasp|pinch|palmar|lateral)(?: (?:movements?|imagery|open|close|imagined|executed|fist))?|(?:both )?(?:hands|fists|feet)|t[12]|lh|rh|flexion|extension|supination|pronation|linke? hand|rechte? hand|main gauche|main droite|mano izquierda|mano derecha|左手|右手|双脚|両足|두 발|왼손|오른손)';

export const rest: Lexicon = {
  en: ['eyes?[\\s-]+(?:open|closed|shut)\\p{L}*', 'resting[\\s-]state', 'at rest', 'alpha (?:rhythm|power|blocking)'],
  de: ['augen (?:auf|zu|offen|geoffnet|geschlossen)', 'ruhe\\p{L}*'], fr: ['yeux (?:ouverts?|fermes?)', 'au repos'],
    es: ['ojos (?:abiertos?|cerrados?)', 'en reposo'], it: ['occhi (?:apert|chius)i', 'a riposo'], pt: ['olhos (?:abertos?|fechados?)', 'em repouso'],
  nl: ['ogen (?:open|dicht)'], ru: ['глаз\\p{L}* (?:открыт|закрыт)\\p{L}*'], zh: ['睁眼', '闭眼', '睜眼', '閉眼', '静息'], ja: ['開眼', '閉眼', '安静'], ko: ['눈 ?(?:뜸|감음)', '휴식'],
};
export const restLabels = '(?:eyes? ?(?:open|closed|shut)|e[oc]|open eyes|closed eyes|睁眼|闭眼|開眼|閉眼)';
