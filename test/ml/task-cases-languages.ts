import { readCases } from './task-cases-published.ts';
import type { TaskCase } from './task-cases.ts';

/**
 * Ten languages, each with five tasks of every refused kind and ten near misses: words of a refused kind in a task that
 * the service offers.
 *
 * Music that is named after a feeling ("sad music vs happy music heard") is refused. It is the usual means to evoke that
 * feeling, so the classes differ by the affect of the listener, and published sets of affect are labelled so. A voice, a
 * face or a word that expresses a feeling is a stimulus: the participant perceives it in somebody else. Music that is
 * named after its form (tempo, mode, piece) is a stimulus, too.
 */
const emotion = `
arousal level while watching film clips :: a|b
sad music vs happy music heard :: a|b
sad music vs happy music heard :: sad music|happy music
levels of arousal during a horror game :: 1|2|3
how scared is the viewer of the trailer :: not at all|very
self-assessed pleasure after each video :: low|high
Erregungsniveau beim Ansehen von Filmen :: niedrig|hoch
ist die Versuchsperson traurig oder fröhlich :: a|b
Gefühlslage beim Musikhören :: gut|schlecht
Angst vor Prüfungen erkennen :: ja|nein
traurige Musik oder fröhliche Musik :: a|b
niveau d'excitation émotionnelle pendant un film :: bas|haut
humeur du participant : bonne ou mauvaise :: a|b
musique triste contre musique joyeuse :: a|b
détecter la peur chez le joueur :: oui|non
l'état affectif pendant le visionnage :: 1|2|3
nivel de activación emocional viendo vídeos :: bajo|alto
estado de ánimo del participante :: bueno|malo
música triste o música alegre :: a|b
detectar la ira del conductor :: sí|no
clasificar sentimientos al oír música :: a|b
livello di attivazione emotiva durante il film :: basso|alto
umore del soggetto :: buono|cattivo
musica triste contro musica allegra :: triste|allegra
riconoscere la paura durante il gioco :: sì|no
rabbia o gioia del partecipante :: a|b
nível de excitação emocional ao ver vídeos :: baixo|alto
humor do participante: bom ou mau :: a|b
música triste ou música alegre :: triste|alegre
detectar o medo durante o jogo :: sim|não
classificar os sentimentos do sujeito :: a|b
emotionele toestand tijdens een film :: a|b
stemming van de proefpersoon: goed of slecht :: a|b
blij of verdrietig :: a|b
stress herkennen tijdens het rijden :: ja|nee
droevige muziek of vrolijke muziek :: a|b
уровень эмоционального возбуждения при просмотре фильма :: низкий|высокий
настроение испытуемого :: хорошее|плохое
грустная музыка или радостная музыка :: a|b
распознать страх у игрока :: да|нет
эмоции: радость или гнев :: радость|гнев
观看电影片段时的唤醒度 :: 低|高
被试的心情好坏 :: 好|坏
悲伤音乐与快乐音乐 :: a|b
检测玩家的恐惧 :: 是|否
愤怒还是喜悦 :: a|b
映画を見ているときの覚醒価 :: 低|高
被験者の気分 :: 良い|悪い
悲しい音楽か楽しい音楽か :: a|b
恐怖の検出 :: はい|いいえ
怒りと喜びの分類 :: a|b
`;

const clinical = `
does the recording come from a patient with epilepsy :: yes|no
dementia screening at home :: positive|negative
responders to antidepressants vs non-responders :: a|b
stroke survivors against healthy adults :: a|b
severity of Parkinson's disease, three grades :: 1|2|3
Hat die Person Epilepsie? :: ja|nein
Früherkennung von Alzheimer :: a|b
Schlaganfallpatienten gegen Gesunde :: a|b
Diagnose von ADHS bei Kindern :: a|b
Anfall oder kein Anfall :: a|b
le sujet est-il épileptique :: oui|non
dépistage de la maladie d'Alzheimer :: a|b
patients dépressifs contre témoins :: a|b
crise ou absence de crise :: a|b
diagnostic de l'autisme :: a|b
el sujeto tiene epilepsia :: sí|no
detección del Alzheimer :: a|b
pacientes con depresión contra sanos :: a|b
crisis epiléptica o no :: a|b
diagnóstico de TDAH :: a|b
il soggetto ha l'epilessia :: sì|no
diagnosi di Alzheimer :: a|b
pazienti depressi contro sani :: a|b
crisi epilettica o no :: a|b
riconoscimento dell'autismo :: a|b
o sujeito tem epilepsia :: sim|não
rastreio de demência :: a|b
pacientes com depressão contra saudáveis :: a|b
crise epilética ou não :: a|b
diagnóstico de autismo :: a|b
heeft de persoon epilepsie :: ja|nee
herkenning van dementie :: a|b
patiënten tegen gezonde controles :: a|b
diagnose van depressie :: a|b
beroerte of gezond :: a|b
есть ли у испытуемого эпилепсия :: да|нет
диагностика деменции :: a|b
больные шизофренией против здоровых :: a|b
приступ или нет :: a|b
депрессия или норма :: депрессия|норма
被试是否患有癫痫 :: 是|否
阿尔茨海默病的早期筛查 :: a|b
抑郁症患者与健康对照 :: a|b
癫痫发作检测 :: a|b
自闭症诊断 :: a|b
被験者はてんかんか :: はい|いいえ
認知症の早期発見 :: 患者|健常
うつ病患者と健常者の判別 :: a|b
発作の検出 :: a|b
自閉症の診断 :: a|b
`;

const biometrics = `
who is this: subject A or subject B :: a|b
is it Anna or Ben who wears the cap: identify the person :: anna|ben
which of our five participants is it :: 1|2|3|4|5
unlock the phone by brainwaves: owner or someone else :: owner|other
find the person whose recording this is :: a|b
Wer ist das: Person A oder Person B :: a|b
welcher Proband ist das :: 1|2|3
Anmeldung am Rechner mit dem EEG: Benutzererkennung :: a|b
Identität der Versuchsperson feststellen :: a|b
Erkennung der Person am EEG :: a|b
qui est-ce : sujet A ou sujet B :: a|b
de quel sujet vient cet EEG : identifier le sujet :: a|b
vérifier l'identité de l'utilisateur :: a|b
authentification par ondes cérébrales :: a|b
reconnaître la personne par son EEG :: a|b
quién es: sujeto A o sujeto B :: a|b
identificar al sujeto por su EEG :: a|b
verificar la identidad del usuario :: a|b
autenticación por ondas cerebrales :: a|b
reconocer a la persona :: a|b
chi è: soggetto A o soggetto B :: a|b
identificare il soggetto dal suo EEG :: a|b
verificare l'identità dell'utente :: a|b
autenticazione con onde cerebrali :: a|b
riconoscere la persona :: a|b
quem é: sujeito A ou sujeito B :: a|b
identificar o sujeito pelo EEG :: a|b
verificar a identidade do usuário :: a|b
autenticação por ondas cerebrais :: a|b
reconhecer a pessoa :: a|b
wie is dit: persoon A of persoon B :: a|b
de proefpersoon identificeren :: a|b
identiteit van de gebruiker controleren :: a|b
biometrische herkenning :: a|b
persoonsherkenning met EEG :: a|b
кто это: испытуемый А или испытуемый Б :: a|b
идентификация испытуемого по ЭЭГ :: a|b
проверка личности пользователя :: a|b
аутентификация по мозговым волнам :: a|b
распознавание личности :: a|b
这是谁：被试A还是被试B :: a|b
通过脑电识别个人身份 :: a|b
验证用户身份 :: a|b
脑电身份认证 :: a|b
这段数据是哪个被试的 :: 1|2
これは誰か：被験者Aか被験者Bか :: a|b
脳波による個人識別 :: a|b
ユーザーの認証 :: a|b
どの被験者の脳波か :: 1|2
本人確認 :: a|b
`;

const demographics = `
resting EEG :: M|F
eyes closed, 30 s :: f|m
 :: M|F
does the recording belong to a teenager or to an adult :: a|b
decade of life of the participant :: 20s|30s|40s
Alter der Versuchsperson :: a|b
Mann oder Frau :: a|b
Geschlecht aus dem Ruhe-EEG :: a|b
Kinder gegen Erwachsene :: a|b
wie alt ist der Proband :: jung|alt
âge de la personne :: a|b
homme ou femme :: a|b
sexe du sujet :: a|b
enfants ou adultes :: a|b
jeunes contre personnes âgées :: a|b
edad del participante :: a|b
mujer u hombre :: a|b
sexo del sujeto :: a|b
niños o adultos :: a|b
jóvenes contra mayores :: a|b
età del partecipante :: a|b
donna o uomo :: a|b
sesso del soggetto :: a|b
bambini o adulti :: a|b
giovani contro anziani :: a|b
idade do sujeito :: a|b
mulher ou homem :: a|b
sexo do participante :: a|b
crianças ou adultos :: a|b
jovens contra idosos :: a|b
leeftijd van de proefpersoon :: a|b
man of vrouw :: a|b
geslacht van de deelnemer :: a|b
kinderen tegen volwassenen :: a|b
jong of oud :: a|b
возраст испытуемого :: a|b
пол испытуемого :: a|b
мужчина или женщина :: a|b
дети или взрослые :: a|b
возраст участника по ЭЭГ :: молодой|пожилой
被试的年龄 :: a|b
男性还是女性被试 :: a|b
被试的性别 :: a|b
儿童还是成人 :: a|b
年轻人与老年人 :: a|b
被験者の年齢 :: a|b
男性か女性か :: a|b
被験者の性別 :: a|b
子供か大人か :: a|b
若者と高齢者の判別 :: a|b
`;

const nearMisses = `
arousals from sleep: light or deep sleep :: light|deep
music or film :: M|F
letters M and F shown :: M|F
movement of the mouth or the foot :: m|f
voices of men and women :: M|F
major or minor melody heard :: major|minor
fast music vs slow music heard :: fast|slow
happy birthday song or silence :: song|silence
subject presses button A or button B :: a|b
age of acquisition of words: early or late :: early|late
who speaks: left or right speaker :: left|right
sad and happy voices: attend to the left or the right one :: left|right
Gesichter von Männern oder Frauen gesehen :: Mann|Frau
linke oder rechte Hand der Patienten bewegen :: links|rechts
grammatisches Geschlecht: maskulin oder feminin :: m|f
schnelle Musik oder langsame Musik :: schnell|langsam
Schlafstadien bei Patienten mit Schlafstörung :: W|N1|N2|N3|REM
Augen offen oder Augen geschlossen :: offen|zu
Tastendruck der Versuchsperson: links oder rechts :: links|rechts
Wort oder Nichtwort, 20 Probanden im Alter von 20 bis 30 :: Wort|Nichtwort
traurige oder neutrale Stimme: Aufmerksamkeit links oder rechts :: links|rechts
Wer spricht: linker oder rechter Sprecher :: links|rechts
voix d'homme ou voix de femme entendue :: homme|femme
main gauche ou droite chez des patients :: gauche|droite
genre grammatical : masculin ou féminin :: m|f
musique rapide ou musique lente :: rapide|lente
stades du sommeil chez des patients insomniaques :: W|N1|N2|N3|REM
yeux ouverts ou fermés :: ouverts|fermés
le sujet appuie à gauche ou à droite :: gauche|droite
mots anciens ou nouveaux :: ancien|nouveau
cible ou non-cible, sujets âgés de 20 à 30 ans :: cible|non-cible
qui parle : locuteur gauche ou droit :: gauche|droit
voz de hombre o voz de mujer :: hombre|mujer
mano izquierda o derecha en pacientes :: izquierda|derecha
género gramatical: masculino o femenino :: m|f
música rápida o música lenta :: rápida|lenta
ojos abiertos o cerrados :: abiertos|cerrados
el sujeto pulsa a la izquierda o a la derecha :: izquierda|derecha
palabras nuevas o viejas :: nueva|vieja
P300: objetivo o no objetivo, 20 sujetos :: objetivo|no objetivo
fases del sueño en pacientes con insomnio :: W|N1|N2|N3|REM
imaginación motora en pacientes con ictus :: izquierda|derecha
voce di uomo o voce di donna :: uomo|donna
mano sinistra o destra nei pazienti :: sinistra|destra
genere grammaticale: maschile o femminile :: m|f
musica veloce o musica lenta :: veloce|lenta
occhi aperti o chiusi :: aperti|chiusi
il soggetto preme a sinistra o a destra :: sinistra|destra
parole nuove o vecchie :: nuova|vecchia
fasi del sonno in pazienti con insonnia :: W|N1|N2|N3|REM
immaginazione motoria in pazienti con ictus :: sinistra|destra
chi parla: a sinistra o a destra :: sinistra|destra
voz de homem ou voz de mulher :: homem|mulher
mão esquerda ou direita em pacientes :: esquerda|direita
gênero gramatical: masculino ou feminino :: m|f
música rápida ou música lenta :: rápida|lenta
olhos abertos ou fechados :: abertos|fechados
o sujeito aperta à esquerda ou à direita :: esquerda|direita
palavras novas ou velhas :: nova|velha
fases do sono em pacientes com insônia :: W|N1|N2|N3|REM
imaginação motora em pacientes com AVC :: esquerda|direita
quem fala: esquerda ou direita :: esquerda|direita
linker- of rechterhand bij patiënten :: links|rechts
ogen open of dicht :: open|dicht
snelle muziek of langzame muziek :: snel|langzaam
woord of geen woord :: woord|geen woord
slaapstadia bij patiënten met slapeloosheid :: W|N1|N2|N3|REM
stem van een man of een vrouw gehoord :: man|vrouw
de proefpersoon drukt links of rechts :: links|rechts
oude of nieuwe woorden :: oud|nieuw
wie spreekt er: links of rechts :: links|rechts
hoofdrekenen of rust :: rekenen|rust
левая или правая рука у пациентов :: левая|правая
глаза открыты или закрыты :: открыты|закрыты
быстрая музыка или медленная музыка :: быстрая|медленная
слово или не слово :: слово|не слово
мужской или женский голос слева или справа :: слева|справа
испытуемый нажимает левую или правую кнопку :: левая|правая
старые или новые слова :: старое|новое
стадии сна у пациентов с бессонницей :: W|N1|N2|N3|REM
кто говорит: диктор слева или справа :: слева|справа
счёт в уме или покой :: счёт|покой
患者的左手或右手运动想象 :: 左手|右手
睁眼还是闭眼 :: 睁眼|闭眼
快节奏音乐与慢节奏音乐 :: 快|慢
真词还是假词 :: 真词|假词
男声还是女声的声音 :: 男声|女声
被试按左键还是右键 :: 左|右
旧词与新词 :: 旧|新
失眠患者的睡眠分期 :: W|N1|N2|N3|REM
谁在说话：左边还是右边的声音 :: 左|右
心算与休息 :: 心算|休息
患者の左手か右手の運動想起 :: 左手|右手
開眼か閉眼か :: 開眼|閉眼
速い音楽か遅い音楽か :: 速い|遅い
単語か非単語か :: 単語|非単語
男性の声か女性の声か :: 男性の声|女性の声
被験者が左か右のボタンを押す :: 左|右
古い単語と新しい単語 :: 古い|新しい
不眠症患者の睡眠段階 :: W|N1|N2|N3|REM
誰が話しているか：左か右の話者 :: 左|右
暗算と安静 :: 暗算|安静
`;

export const languageCases: readonly TaskCase[] = [
  ...readCases('emotion', emotion),
  ...readCases('clinical', clinical),
  ...readCases('biometrics', biometrics),
  ...readCases('demographics', demographics),
  ...readCases(null, nearMisses),
];
