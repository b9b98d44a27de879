import type { RefusedCategory } from '../../ml/task/index.ts';

/** Description, labels (`a|b`), verdict: the refused category, or null where the task is served. */
export type TaskCase = readonly [description: string, labels: string, verdict: RefusedCategory | null];

const group = (verdict: RefusedCategory | null, rows: readonly (string | readonly [string, string])[]): TaskCase[] =>
  rows.map((row) => (typeof row === 'string' ? [row, 'a|b', verdict] : [row[0], row[1], verdict]));

export const refusedCases: readonly TaskCase[] = [
  ...group('emotion', [
    'emotion recognition from EEG', 'recognise the emotion felt while watching film clips', 'classify high vs low valence', 'high or low arousal during music videos',
    'happy vs sad', 'angry or calm', 'fear versus neutral', 'mood detection: good or bad', 'affective state of the listener', 'is the user frustrated or bored?',
    'predict the emotional response to adverts', 'valence: high / low (DEAP dataset)', 'SEED-IV, four classes', 'joy, sadness, anger and disgust elicited by videos', 'stress detection during driving', 'stress vs relax',
    'anxiety level of students', 'how the participant feels: good or bad', 'emotional vs neutral pictures', 'detect disgust', 'pleasant vs unpleasant odour', 'facial emotion: happy, angry',
    'Emotions: 1 = joy, 2 = fear', 'classify participants\' emotional state', 'Decoding human emotions', 'boredom vs engagement', 'amusement or tenderness while watching clips',
    ['two classes', 'happy|sad'], ['EEG 62 channels', 'fear|disgust|neutral'], ['film clips', 'positive|negative|neutral'], ['music listening', 'HVHA|LVLA'], ['1 s epochs', 'High valence|Low valence'],
    ['IAPS pictures', 'positive|negative'], ['response', 'stressed|not stressed'], ['', 'Joy|Sadness'], ['state of the driver', 'angry|neutral'], ['P300 to faces', 'Anger|Neutral'],
    'Emotionserkennung beim Filmschauen', 'glücklich oder traurig', 'Wut gegen Freude', 'Klassifikation von Gefühlen', 'Stresserkennung am Arbeitsplatz', ['Filmausschnitte', 'fröhlich|traurig'],
    'reconnaissance des émotions', 'joie ou tristesse', 'état émotionnel du sujet', ['extraits', 'heureux|triste'], 'colère contre neutre',
    'reconocimiento de emociones', 'feliz o triste', 'estado emocional al ver vídeos', ['música', 'alegría|miedo'],
    'riconoscimento delle emozioni', 'felice o triste', 'stato emotivo durante la musica', ['video', 'gioia|paura'],
    'reconhecimento de emoções', 'feliz ou triste', 'estado emocional', ['filmes', 'alegria|medo'],
    '情绪识别', '高兴还是悲伤', '观看视频时的情绪状态分类', ['视频', '积极|消极|中性'], ['脑电', '快乐|愤怒'],
    '感情認識', '喜びと悲しみの分類', '映画視聴中の感情状態', ['脳波', '怒り|喜び'], 'ストレスの検出',
    '감정 인식', ['음악', '행복|슬픔'], 'распознавание эмоций', 'emotieherkenning',
  ]),
  ...group('clinical', [
    'seizure detection', 'seizure vs no seizure', 'detect epileptic seizures', 'preictal or interictal', 'Alzheimer\'s disease vs healthy controls', 'depressed vs healthy', 'diagnosis of ADHD', 'schizophrenia patients versus controls',
    'Parkinson\'s disease detection', 'abnormal EEG or normal EEG', 'patients vs controls', 'healthy or patient', 'screening for dementia', 'predict seizure onset', 'autism vs typically developing', 'mild cognitive impairment or normal ageing',
    'major depression severity', 'prognosis after coma', 'coma vs awake', 'concussion: yes or no, diagnose', 'sleep apnea detection', 'treatment response to rTMS', 'alcoholic vs control', 'stroke vs healthy', 'clinical decision support', 'detects depression',
    'depth of anaesthesia', 'PTSD vs non-PTSD veterans', 'dyslexic or typical readers', 'schizophrenia vs control, P300 oddball', 'classification of patients with depression', 'epilepsy classification', 'is it Alzheimer or FTD', 'vegetative state vs minimally conscious', 'interictal epileptiform discharge detection',
    ['EEG', 'seizure|background'], ['resting EEG', 'AD|HC'], ['eyes closed rest', 'MDD|control'], ['rest', 'patient|control'], ['TUH recordings', 'normal|abnormal'], ['', 'epilepsy|healthy'], ['sleep', 'apnea|normal'], ['left hand imagery', 'patient|healthy'], ['3 min EEG', 'Schizophrenia|Healthy'], ['eyes open', 'ADHD|TD'], ['', 'pre-ictal|inter-ictal'],
    'Epilepsie oder gesund', 'Diagnose von Demenz', 'Anfallserkennung', 'Patienten gegen Gesunde', 'Epilepsiediagnose', ['Ruhe-EEG', 'krank|gesund'],
    'détection de crises d\'épilepsie', 'diagnostic de la maladie d\'Alzheimer', 'patients contre témoins', ['repos', 'malade|sain'],
    'detección de epilepsia', 'diagnóstico de Alzheimer', 'pacientes o controles sanos', 'depresión vs control',
    'rilevamento di crisi epilettiche', 'diagnosi di demenza', 'pazienti contro controlli', 'deteção de crises epiléticas', 'diagnóstico de depressão', ['repouso', 'doente|saudável'],
    '癫痫检测', '抑郁症患者与健康对照', '阿尔茨海默病诊断', ['静息态', '患者|健康'], 'てんかん発作の検出', '認知症の診断', 'うつ病患者と健常者', ['安静', '患者|健常'], '치매 진단', 'диагностика эпилепсии', 'epilepsiedetectie',
  ]),
  ...group('biometrics', [
    'person identification by EEG', 'user authentication', 'who is the subject', 'biometric verification', 'identify which subject produced the trial', 'subject recognition', 'genuine user vs impostor', 'EEG fingerprint', 'brainprint matching', 'which participant is it', 'identify individuals by resting EEG', 'retrieve a specific person from a database', 'login with brain waves: authenticate', 'owner vs intruder: user verification',
    'whose EEG is this', 'recognise the user', 'subject identity', 'subject 1 vs subject 2',
    ['resting EEG', 'subject 1|subject 2'], ['', 'S001|S002|S003'], ['P300', 'participant_1|participant_2'], ['brain data', 'user A|user B'], ['unlocking', 'genuine|impostor'],
    'Personenidentifikation', 'Wer ist der Proband?', 'Benutzerauthentifizierung', 'identification des personnes', 'authentification de l\'utilisateur', 'identificación de personas', 'autenticación del usuario', 'identificazione della persona', 'autenticazione utente', 'identificação de pessoas', 'autenticação biométrica',
    '身份识别', '用户认证', ['静息', '被试1|被试2'], '個人認証', '被験者の識別', '사용자 인증', 'идентификация личности',
  ]),
  ...group('demographics', [
    'male vs female subjects', 'gender classification', 'sex of the participant', 'age prediction', 'young vs old', 'age group: 20-30 vs 60-70', 'younger or older adults', 'children vs adults', 'brain age estimation', 'classify the subject\'s gender', 'how old is the subject', 'man or woman', 'predict age and sex', 'gender: male, female', 'boys vs girls at rest', 'male vs female participants viewing faces', 'sex classification from resting EEG',
    ['resting EEG', 'male|female'], ['oddball P300', 'man|woman'], ['eyes closed', 'young|old'], ['age', '20-30|60-70'], ['sex', 'M|F'], ['EEG', 'adult|child'], ['subject sex', 'm|f'], ['', 'Male|Female'], ['age of subjects', '<40|>40'],
    'Geschlechtserkennung', 'Männer gegen Frauen', 'Altersschätzung', 'jung oder alt', ['Ruhe', 'männlich|weiblich'], 'hommes ou femmes', 'âge du sujet', 'estimation de l\'âge', 'hombre o mujer', 'clasificación de género', 'jóvenes o ancianos', 'uomo o donna', 'età del soggetto', 'homem ou mulher', 'idade do participante', '性别分类', '男性还是女性', '年龄预测', '性別の判定', '年齢推定', ['安静', '男性|女性'], '성별 분류', 'мужчины или женщины',
  ]),
];

export const servedCases: readonly TaskCase[] = group(null, [
  ['left vs right hand of the patient\'s choice', 'left|right'], ['happy path test', 'pass|fail'], ['stage N2', 'N2|N3'], ['gender-neutral words vs nonwords', 'word|nonword'], ['depression of a key', 'left|right'],
  ['aged 20-30, P300 target vs nontarget', 'target|nontarget'], ['male connector', 'plugged|unplugged'], ['eyes open vs closed in patients after stroke: left vs right hand imagery', 'left|right'],
  ['N400 to emotional words: congruent vs incongruent', 'congruent|incongruent'], ['emotional Stroop task: congruent or incongruent', 'congruent|incongruent'], ['motor imagery while listening to happy music', 'left|right'],
  'left hand vs right hand motor imagery', 'imagined movement: left fist or right fist', 'both fists or both feet', 'P300 speller: target vs nontarget', 'auditory oddball, standard vs deviant', 'sleep staging in insomnia patients', 'sleep stages W N1 N2 N3 R', 'SSVEP at 13, 17 and 21 Hz', 'eyes open vs eyes closed', 'error-related potentials: error or correct',
  'N170: faces vs cars', 'mismatch negativity', 'mental arithmetic vs rest', 'workload: 0-back vs 2-back', 'attended left or right speaker', 'old vs new items', 'old/new effect in recognition memory', 'motor imagery in stroke patients, left vs right', 'P300 in ALS patients: target or not', 'P300 speller for patients with ALS, yes or no',
  'epilepsy patients, left vs right hand', 'Parkinson patients: go vs nogo', 'detection of P300 in epilepsy patients', 'seizure-free patients imagine feet or hands', 'key depressed vs key released', ['the depressed button', 'depressed|released'], 'depressing the left or the right lever', 'reward positivity: positive vs negative feedback', ['feedback', 'positive|negative'], ['sign of the number shown', 'positive|negative'], ['current polarity', 'positive|negative|neutral'],
  'bipolar montage, left vs right', 'lexical stress: first or second syllable', ['syllable stress', 'stressed|unstressed'], 'squeeze a stress ball with left or right hand', 'hearing a male or a female voice', ['male vs female voice, auditory attention', 'male|female'], ['names of male and female speakers', 'male|female'], ['faces of men and women (N170)', 'man|woman'], 'male plug vs female socket pictures', 'gender agreement violation vs correct sentence', 'grammatical gender: masculine or feminine nouns',
  'subject-independent left/right imagery', 'cross-subject motor imagery', 'identify the subject\'s intent: left or right', 'subject 3, run 2: left or right', 'identification of the target letter', 'own name vs other names', 'familiar vs unfamiliar faces', 'age of acquisition: early vs late words', 'older adults: target vs nontarget', 'young adults imagine left or right hand', 'elderly with dementia: target vs nontarget', 'healthy subjects, left vs right hand', 'healthy volunteers: tongue or feet',
  'healthy vs unhealthy food pictures', ['food images', 'healthy|unhealthy'], ['normal vs abnormal sentences', 'normal|abnormal'], ['control condition against task', 'control|task'], 'cursor control: up or down', 'not for diagnosis: left vs right hand', 'no emotion recognition, only left vs right', 'non-clinical: hand vs foot', 'drowsy vs alert driver', 'joystick left or right', 'joystick vs keyboard', 'Angry Birds vs rest', 'breast stroke vs back stroke imagery', 'brush stroke direction', 'keystroke left or right', ['swimming imagery', 'stroke|glide'],
  'micro-arousal vs quiet sleep', 'sleep arousal yes or no', 'fear conditioning: CS+ vs CS-', ['fear conditioning', 'CS+|CS-'], 'does noise affect detection of tones?', 'happy birthday song vs anthem, imagined', 'affected hand vs unaffected hand movement', ['attempted movement after stroke', 'affected hand|unaffected hand'], ['stroke patients', 'stroke left|stroke right'], 'reading in dyslexia: word vs nonword', 'motor imagery of patients with tetraplegia', 'smile vs frown movements', 'clench teeth or relax', ['relaxation', 'relax|concentrate'], 'attention vs mind wandering', 'tactile left vs right', 'imagined speech: yes vs no', 'truth or lie',
  'Bewegungsvorstellung linke oder rechte Hand', 'Schlafstadien', 'Patient bewegt linke oder rechte Hand', 'Augen auf oder zu', 'seltene Töne gegen häufige Töne', 'Linke oder rechte Hand bei Schlaganfallpatienten', 'Tastendruck links oder rechts', 'Probanden im Alter von 20 bis 30: Zielreiz oder nicht', 'als Kontrolle: linke gegen rechte Hand', 'Wörter oder Pseudowörter', 'keine Diagnose: links oder rechts',
  'imagerie motrice main gauche ou droite', 'stades de sommeil', 'yeux ouverts ou fermés', 'cible ou non-cible', 'mouvement du pied ou de la main chez des patients après un AVC', 'voix d\'homme ou voix de femme', 'sans but diagnostique : gauche ou droite',
  'imaginación motora mano izquierda o derecha', 'fases del sueño', 'ojos abiertos o cerrados', 'palabras o pseudopalabras', 'puño izquierdo o derecho en pacientes con ictus', 'coma o punto en la frase', 'immaginazione motoria mano sinistra o destra', 'fasi del sonno', 'occhi aperti o chiusi', 'bersaglio o non bersaglio', 'imagética motora mão esquerda ou direita', 'fases do sono', 'olhos abertos ou fechados', 'mão esquerda ou direita em pacientes com AVC',
  '左手与右手运动想象', '睡眠分期', '睁眼与闭眼', '目标与非目标刺激', '中风患者左手或右手运动想象', '稳态视觉诱发电位 13Hz 17Hz', '左手と右手の運動想起', '睡眠段階', '開眼と閉眼', 'ターゲットと非標的', '脳卒中患者の左手または右手の運動', '왼손과 오른손 운동 상상', '수면 단계', 'движение левой или правой руки', 'linkerhand of rechterhand beweging',
  ['R&K sleep', 'S1|S2|S3|S4|W|R'], ['stimuli', 'S1|S2'], ['', '0|1'], ['task', 'yes|no'], ['demo', 'left|right'], ['n-back', '1|2|3'], ['colour', 'red|blue'], ['pitch', 'high|low'], ['tone', 'low|high'], ['volume', 'up|down'], ['', 'T1|T2'], ['go nogo', 'go|nogo'], ['patient waiting', 'left|right'], ['feedback', 'normal|delayed'], ['speed of movement', 'normal|fast'],
]);
