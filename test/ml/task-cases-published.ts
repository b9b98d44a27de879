import type { RefusedCategory } from '../../ml/task/index.ts';
import type { TaskCase } from './task-cases.ts';

/**
 * One case a line: description, ` :: `, labels with `|` between them. The descriptions are titles and summaries of
 * published data sets and papers (OpenNeuro, NEMAR, PhysioNet, MOABB, BNCI Horizon, Zenodo, Kaggle, TUH, UCI), the
 * labels those of the sets.
 */
export const readCases = (verdict: RefusedCategory | null, lines: string): TaskCase[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [description, labels] = line.split(' :: ');
      return [description, labels, verdict] as const;
    });

const emotion = `
SEED emotion dataset: positive, neutral, negative :: a|b|c
SEED :: positive|neutral|negative
SEED-IV: EmotionMeter, 72 film clips :: happy|sad|fear|neutral
SEED-V, five classes of film clips :: disgust|fear|sad|neutral|happy
SEED-VII :: happy|surprise|neutral|disgust|fear|sad|anger
SEED-FRA, French subjects watching film clips :: positive|neutral|negative
SEED-GER :: 1|0|-1
DEAP: A Database for Emotion Analysis using Physiological Signals :: HV|LV
DEAP :: high arousal|low arousal
DEAP music videos, arousal threshold 5 :: 0|1
DREAMER: emotion recognition through EEG and ECG from wireless low-cost devices :: high|low
DREAMER valence :: low|high
MAHNOB-HCI: A Multimodal Database for Affect Recognition and Implicit Tagging :: 0|1
AMIGOS: affect, personality and mood research on individuals and groups :: HALV|LAHV|HAHV|LALV
ASCERTAIN: Emotion and Personality Recognition Using Commercial Sensors :: high|low
DECAF: MEG-based multimodal database for decoding affective physiological responses :: high|low
FACED - Finer-grained Affective Computing EEG Dataset :: anger|fear|disgust|sadness|joy|tenderness
THU-EP: emotion profiles, 28 video clips :: amusement|inspiration|joy|anger
MPED: A Multi-Modal Physiological Emotion Database for Discrete Emotion Recognition :: joy|funny|anger|fear|sad
Imagined Emotion Study :: awe|love|grief|rage
eNTERFACE'06 emotion detection, IAPS images :: calm|exciting positive|exciting negative
LUMED-2: loughborough multimodal emotion dataset :: sad|neutral|happy
BCI_SSAS: subjective self-assessment of states during music :: happy|relaxed|sad|angry
GAMEEMO: four computer games :: boring|calm|horror|funny
EEG Brainwave Dataset: Feeling Emotions :: POSITIVE|NEGATIVE|NEUTRAL
EEG emotion recognition during live music, dancers and listeners :: valence high|valence low
Emognition Wearable Dataset :: awe|enthusiasm|liking|sadness
DENS: Dataset on Emotion using Naturalistic Stimuli :: HVHA|HVLA|LVHA|LVLA
DAI-emotion: inducing moods with VR :: fear|joy
VREED: VR eyes emotions dataset :: high valence|low valence
Emotion classification in VR with EEG :: fear|happiness
EEG dataset of Zhejiang University affective videos (ZuCo-Emo) :: amused|disgusted
HCI-Tagging: emotional state on the scale of valence and arousal :: valence>5|valence<=5
Regulation of Arousal via Online Neurofeedback: arousal level :: high arousal|low arousal
DASPS: A Database for Anxious States based on a Psychological Stimulation :: normal|light|moderate|severe
SAM 40: dataset of 40 subject EEG recordings to monitor induced stress :: stress|relax
Mental stress detection with MIST (Montreal Imaging Stress Task) :: stress|control
WESAD + EEG: stress and affect detection :: baseline|stress|amusement
Multilevel stress assessment using the Stroop test :: no stress|low stress|high stress
Trier social stress test, stressed state from EEG :: stressed|relaxed
EmoEEG-MC: a multi-context emotional EEG dataset :: joy|fear|tenderness|anger
EAV: EEG-audio-video dataset for emotion recognition in conversational contexts :: neutral|anger|sad|happy|calm
EmoWOZ speech dialogue EEG: user's emotional state :: satisfied|dissatisfied
PME4: a posed multimodal emotion dataset :: anger|disgust|fear|happy
Hallucinating mood: valence ratings in video watching :: negative mood|positive mood
EEG dataset of affective responses to odors :: pleasant|unpleasant
Emotional video induction: fear versus neutral film :: fear|neutral
Predicting felt emotions from music-evoked EEG :: happy|sad
Subjective emotional experience in Chinese film clips :: moved|angry|afraid
Driver anger recognition in simulated driving :: anger|neutral
Frustration during BCI games with loss of control :: frustrated|not frustrated
Real-time fear level classification for VR exposure therapy :: no fear|low|medium|high
Chills while listening to music: pleasure of the listener :: joy|sadness
Affective BCI: self-induced happiness versus disgust :: happy|disgust
EEG-based love/hate reaction to ads :: love|hate
Cross-subject emotion recognition with domain adaptation :: 0|1|2
Detecting the user's mood from a 4-channel Muse :: good mood|bad mood
State anxiety classification from resting EEG :: anxious|calm
Affective picture viewing, felt arousal :: calm|aroused
Emotion elicitation with autobiographical recall :: happiness|anger
`;

const clinical = `
CHB-MIT Scalp EEG Database :: seizure|non-seizure
CHB-MIT: paediatric subjects with intractable seizures :: ictal|interictal
Siena Scalp EEG Database: seizure detection :: 0|1
TUH EEG Seizure Corpus :: fnsz|gnsz|cpsz|bckg
TUH Abnormal EEG Corpus (TUAB) :: abnormal|normal
TUH EEG Events (TUEV): epileptiform discharges :: spsw|gped|pled|bckg
TUH EEG Epilepsy Corpus :: epilepsy|no_epilepsy
Bonn University EEG: sets A and E :: healthy|seizure
Bern-Barcelona EEG database: epileptogenic zone :: focal|non-focal
Helsinki neonatal EEG recordings with seizure annotations :: seizure|no seizure
American Epilepsy Society Seizure Prediction Challenge :: preictal|interictal
Melbourne University Seizure Prediction :: pre-ictal|inter-ictal
Epileptic Seizure Recognition Data Set (UCI) :: 1|2|3|4|5
HMS - Harmful Brain Activity Classification :: Seizure|LPD|GPD|LRDA|GRDA|Other
Epileptic EEG Dataset, American University of Beirut :: complex partial|electrographic|video-detected|normal
New Delhi epilepsy EEG: pre-ictal, inter-ictal, ictal :: P|I|S
NMT Scalp EEG Dataset: normal and pathological :: normal|abnormal
I-CARE: predicting neurological recovery from coma after cardiac arrest :: good|poor
UCI EEG Database: genetic predisposition to alcoholism :: alcoholic|control
EEG Data from Alcoholic and Control Subjects :: a|c
MODMA: multi-modal open dataset for mental-disorder analysis :: MDD|HC
EEG-based diagnosis of major depressive disorder (Mumtaz 2016) :: MDD|H
Depression Rest, PREDICT UNM :: depressed|control
EEG: Depression rest :: high BDI|low BDI
TDBRAIN: psychiatric EEG, discriminate patients :: MDD|ADHD|OCD|HEALTHY
TDBRAIN: predicting response to rTMS treatment :: responder|non-responder
EEG Psychiatric Disorders Dataset (Park 2021) :: Schizophrenia|Mood disorder|Healthy control
EEG in schizophrenia (RepOD) :: schizophrenia|healthy
EEG data from basic sensory task in Schizophrenia :: SZ|HC
14 patients with paranoid schizophrenia and 14 healthy controls :: h|s
Lomonosov EEG of adolescents, symptoms of schizophrenia :: norm|sch
EEG data for ADHD / Control children :: ADHD|Control
ADHD detection from attention task EEG of children :: adhd|healthy
A dataset of EEG recordings from: Alzheimer's, Frontotemporal dementia and Healthy subjects :: A|F|C
AD vs FTD vs CN, resting state eyes closed :: AD|FTD|CN
Dementia severity from photic stimulation EEG :: mild|moderate|severe
BrainLat: EEG of Alzheimer's and frontotemporal dementia against controls :: AD|bvFTD|controls
Olfactory EEG for detection of Alzheimer's disease :: AD|aMCI|normal
MCI detection with auditory oddball :: MCI|normal
CAUEEG: Chung-Ang University Hospital EEG for dementia diagnosis :: Normal|MCI|Dementia
UC San Diego Resting State EEG Data from Patients with Parkinson's Disease :: PD|HC
Parkinson's disease classification with rest EEG (Iowa) :: PD|control
Detecting Parkinson's: on versus off medication :: PD-on|PD-off|healthy
Rest eyes open in PD, EEG biomarker for diagnosis :: patient|control
Mild traumatic brain injury: subacute mTBI against controls :: mTBI|control
Concussion assessment in athletes from EEG :: concussed|healthy
EEG dataset for autism spectrum disorder screening :: ASD|TD
KAU autism EEG :: autistic|normal
Autism: resting EEG of children :: ASD|control
Diagnosing dyslexia from EEG during writing :: dyslexic|control
Detection of sleep apnea events from EEG :: apnea|hypopnea|none
Insomnia detection from CAP sleep database :: insomnia|healthy
CAP Sleep Database: pathologies :: nfle|rbd|plm|ins|n
REM behaviour disorder diagnosis :: RBD|control
Narcolepsy versus controls in overnight EEG :: NT1|control
Disorders of consciousness :: UWS|MCS|EMCS
Vegetative or minimally conscious: bedside diagnosis :: VS|MCS
EEG for propofol anesthesia depth monitoring :: awake|light|deep
Stroke prognosis from acute EEG :: good outcome|poor outcome
Stroke lesion side detection :: left lesion|right lesion|healthy
Detect delirium in ICU patients :: delirium|no delirium
EEG-based detection of chronic pain patients :: chronic pain|control
Fibromyalgia patients vs healthy controls :: FM|HC
Migraine with aura: classify migraineurs :: migraine|control
Tinnitus diagnosis from resting EEG :: tinnitus|control
Internet gaming disorder, alcohol use disorder and controls :: IGD|AUD|HC
Methamphetamine addiction recognition :: addict|healthy
Heroin users and controls at rest :: abstinent|control
Suicide risk assessment from EEG in depressed patients :: low risk|high risk
PTSD diagnosis in veterans :: PTSD|control
OCD vs controls :: OCD|HC
Bipolar disorder vs unipolar depression :: BD|MDD
Cerebral palsy children vs typically developing children :: CP|TD
Burst suppression detection in neonates with HIE :: normal|moderate|severe HIE
Grading hypoxic-ischemic encephalopathy (HIE) severity in neonatal EEG :: 1|2|3|4
Predicting antidepressant response to escitalopram (CAN-BIND) :: responder|nonresponder
First episode psychosis vs. control, MMN :: FEP|HC
Interictal spike detection (IED) in scalp EEG :: spike|no spike
Absence epilepsy: spike-and-wave discharges :: SWD|background
EEG abnormality classification for clinical triage :: pathological|non-pathological
Hepatic encephalopathy grading :: HE0|HE1|HE2
COVID-19 patients' EEG: encephalopathy :: positive|negative
`;

const biometrics = `
BED: Biometric EEG dataset :: 1|2|3
BMT_EEG: novel dataset for evaluating new protocols on biometric authentication systems :: s1|s2|s3
M3CV: A multi-subject, multi-session, and multi-task database for EEG-based biometrics :: 0|1
M3CV competition, identification :: sub001|sub002|sub003
EID-M: person identification through brainwaves :: P1|P2
MindID: person identification from brain waves through attention-based RNN :: 1|2|3|4
BrainID: resting state brainprint of 109 subjects (EEGMMIDB) :: S001|S002
Task sensitivity in EEG biometric recognition :: a|b
User identification and authentication, brain password :: authorized|unauthorized
CEREBRE: cognitive event-related biometric recognition :: user1|user2
Brainwave-based login, pass-thoughts :: legitimate|impostor
EEG-based user verification with SSVEP :: genuine|imposter
Authentication using the Muse headset :: owner|other
Deep learning for subject identification from motor imagery EEG :: subject1|subject2
Recognise individuals by their VEP :: ind1|ind2
UCI EEG person recognition with 120 subjects :: co2a0000364|co2c0000337
Which of the 20 participants produced this epoch? :: 1|2|3|4
Keystroke and EEG for continuous authentication :: valid|intruder
Cross-session EEG biometrics :: id01|id02
Siamese network for identity verification :: same person|different person
Open set identification of people by rest EEG :: known|unknown
PhysioNet EEGMMIDB subject-ID classification :: a|b
EEG cryptographic key generation and user authentication :: client|attacker
Person re-identification over months :: Alice|Bob
Imposter detection by imagined speech :: impostor|genuine
DEAP person identification during emotion :: p01|p02
Music-evoked brainprints: who is listening? :: subj_a|subj_b
Identify driver by brain waves for theft prevention :: driver 1|driver 2
EEG based access control :: accept user|reject user
Match an EEG segment to a person in the database :: match|no match
`;

const demographics = `
EEG-Based Age and Gender Prediction Using Deep BLSTM-LSTM Network Model :: male|female
A Novel Method for Gender and Age Detection Based on EEG Brain Signals :: M|F
Dance of the Neurons: Unraveling Sex from Brain Signals :: 0|1
Brain Age Prediction/Classification of Seizure-free Subjects :: 20s|30s|40s|50s
Brain age from the TUH EEG corpus, age regression binned :: <40|>=40
Predicting sex from brain rhythms with deep learning (van Putten 2018) :: female|male
Predicting Subject Traits From Brain Spectral Signatures: biological age :: young|middle|old
HBN-EEG: predict sex of the child :: M|F
HBN-EEG: age groups :: 5-10|11-15|16-21
TUAB gender decoding :: man|woman
MPI-Leipzig LEMON: younger vs. older participants :: young|old
Cam-CAN age decoding :: 18-40|60-88
HarMNqEEG: age classification :: child|adult|elderly
Developmental age estimation of infants :: 6 months|12 months
Preterm and term neonates: estimating postmenstrual age :: 28-32|33-36|37-40
Sex differences in resting EEG: classify the sex of the participant :: f|m
EEG gender recognition with Emotiv :: Male|Female
Age group identification with the odd-ball :: young adults|older adults
Classifying boys and girls from task EEG :: boy|girl
Dortmund Vital Study: age decade :: 20-29|30-39|40-49|50-59|60-70
Age-related differences: decode whether subject is young or elderly :: Young|Elderly
Aging brain: participants' age :: 25|65
Adult vs. child EEG classifier :: adult|child
Demographic attributes from EEG: sex and age :: 0|1
User profiling: gender of the gamer :: male gamer|female gamer
Sleep EEG brain age index (BAI) :: younger|older
SRM resting-state EEG :: female|male
Is the listener a man or a woman? :: man|woman
`;

export const publishedRefusals: readonly TaskCase[] = [
  ...readCases('emotion', emotion),
  ...readCases('clinical', clinical),
  ...readCases('biometrics', biometrics),
  ...readCases('demographics', demographics),
];
