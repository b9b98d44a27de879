import { readCases } from './task-cases-published.ts';
import type { TaskCase } from './task-cases.ts';

const motor = `
BNCI 2014-001 Motor Imagery dataset :: left_hand|right_hand|feet|tongue
BNCI 2014-002 Motor Imagery dataset :: right_hand|feet
BNCI 2014-004 Motor Imagery dataset :: left_hand|right_hand
BNCI 2015-001, sustained right hand and both feet :: right_hand|feet
BNCI 2015-004: mental tasks of users with spinal cord injury and stroke :: hand|feet|word|subtraction|navigation
PhysioNet EEG Motor Movement/Imagery Dataset :: left_hand|right_hand|hands|feet|rest
Motor Imagery dataset from Cho et al 2017: 52 subjects :: left_hand|right_hand
High-gamma dataset described in Schirrmeister et al. 2017 :: right_hand|left_hand|rest|feet
Munich Motor Imagery dataset (Grosse-Wentrup 2009) :: right_hand|left_hand
Zhou2016, three sessions :: left_hand|right_hand|feet
Weibo2014: simple and compound motor imagery :: left_hand|right_hand|hands|feet|left_hand_right_foot|rest
Ofner 2017: upper limb movements :: elbow flexion|elbow extension|supination|pronation|hand open|hand close
Shin2017A, EEG fNIRS motor imagery :: left_hand|right_hand
Lee2019 OpenBMI motor imagery :: left_hand|right_hand
Liu2024: motor imagery EEG of 50 acute stroke patients :: left_hand|right_hand
Stieger2021: continuous sensorimotor rhythm BCI learning :: right_hand|left_hand|both_hand|rest
Dreyer2023: a large EEG database with users' profile information :: left_hand|right_hand
Motor Imagery Under Distraction: An Open Access BCI Dataset :: left_hand|right_hand
Grasp-and-Lift EEG Detection :: HandStart|FirstDigitTouch|LiftOff|Replace
AlexMI: Alex Motor Imagery dataset :: right_hand|feet|rest
BCI Competition IV 2a :: left|right|foot|tongue
BCI Competition III dataset IVa :: right hand|right foot
Large-scale hand motor imagery in ALS patients :: left_hand|right_hand
Motor imagery of lower limb in spinal cord injury patients :: walk|idle
Attempted hand movements of tetraplegic patients :: palmar grasp|lateral grasp|rest
Finger tapping right versus left hand :: left|right
EEG of finger flexion: thumb, index, middle, ring, pinky :: thumb|index|middle|ring|pinky
Imagination of Right-hand Thumb Movement :: thumb|rest
Motor execution in Parkinson's patients: left or right button press :: left|right
Gait: walking versus standing with a mobile EEG :: walk|stand
Movement intention from MRCPs of stroke patients, self-paced ankle dorsiflexion :: movement|rest
Imagined pinch and grip with healthy and impaired arm after stroke :: pinch|grip
Planning Relax: imagined thumb movement :: relax|imagery
Kinaesthetic motor imagery of happy users playing a game: left vs right :: left|right
Motor imagery before and after 6 weeks of meditation training :: left|right
Motor imagery with 5-year old children, left or right paw of a cat avatar :: left|right
Elderly people's motor imagery BCI, left vs right :: left|right
Motor imagery of women and men, hands :: left|right
`;

const erp = `
ERP CORE: P3 visual oddball :: target|standard
ERP CORE N170: faces, cars, scrambled :: face|car|scrambled face|scrambled car
ERP CORE MMN passive auditory oddball :: standard|deviant
ERP CORE N400 word pairs :: related|unrelated
ERP CORE ERN flankers :: correct|incorrect
ERP CORE N2pc simple visual search :: left target|right target
ERP CORE LRP :: left response|right response
Brain Invaders bi2012 P300 :: Target|NonTarget
bi2014b: multi-player Brain Invaders :: Target|NonTarget
bi2015a, flash duration :: Target|NonTarget
EPFL P300 dataset from Hoffmann et al 2008: disabled and able-bodied subjects :: Target|NonTarget
BNCI 2014-008: P300 speller with ALS patients :: Target|NonTarget
BNCI 2014-009 P300 dataset :: Target|NonTarget
BNCI 2015-003 P300 :: Target|NonTarget
Huebner2017: learning from label proportions for a visual matrix speller :: Target|NonTarget
Cattan2019_VR: P300 in virtual reality :: Target|NonTarget
DemonsP300: visual P300 recorded in VR game Raccoons versus Demons :: Target|NonTarget
Sosulski2019: P300 dataset from initial spot study :: Target|NonTarget
Kojima2024A: auditory stream segregation P300 :: Target|NonTarget
Monitoring ErrP in a target selection task :: correct direction|wrong direction
INRIA BCI Challenge @ NER 2015: P300 speller feedback :: right letter|wrong letter
ErrPs during continuous feedback in a video game :: execution error|outcome error|none
Face processing: famous, unfamiliar and scrambled faces (Wakeman & Henson) :: famous|unfamiliar|scrambled
Face vs. House Discrimination, 7 epileptic subjects :: face|house
N170 :: happy_face|sad_face
N170: happy or sad face shown :: happy|sad
Viewing of happy and fearful faces, ERP :: happy|fearful
Reading emotional words and neutral words :: emotional|neutral
N170 to emotional expressions :: happy face|fearful face|neutral face
ERP to happy, sad and angry faces shown on the screen :: happy face|sad face|angry face
Perception of facial expressions: fearful vs neutral faces :: fearful faces|neutral faces
Emotional words in lexical decision: word or pseudoword :: word|pseudoword
Visual word recognition: negative words, neutral words :: negative word|neutral word
Emotional prosody perception: happy voice vs angry voice :: happy voice|angry voice
Emotional Stroop: colour naming :: red|green|blue
Emotional faces, gender task: was the face upright or inverted? :: upright|inverted
Own face vs friend's face vs stranger's face :: own|friend|stranger
Own-name paradigm :: own name|other name
Voice gender perception :: male voice|female voice
Categorising faces by gender: N170 to male and female faces :: male face|female face
Young and old faces: perception of face age :: young face|old face
N400 and P600 to gender agreement violations in Spanish :: violation|correct
Mooney faces :: face|non-face
Face identity shown: Tom Cruise or Brad Pitt :: face A|face B
Simon Conflict: Spatial and Non-Spatial Stimulus Conflict in Parkinson's :: congruent|incongruent
Cross-modal Oddball in Parkinson's disease :: standard|novel visual|novel auditory
3-Stim Auditory Oddball and Rest in Parkinson's :: standard|target|novel
EEG: Reinforcement Learning in Parkinson's :: win|loss
Probabilistic Selection and Depression :: correct|error
EEG: Probabilistic Selection Task (PST) + BDI :: positive feedback|negative feedback
EEG: 3-Stim Auditory Oddball and Rest in Acute and Chronic TBI :: standard|target|novel
EEG: Visual Working Memory in Acute TBI :: load 2|load 4
DPX Cog Ctl Task in Acute Mild TBI :: AX|BX|AY|BY
Button press and auditory tone in patients with Schizophrenia :: play tone|button tone|button alone
Auditory steady state response in schizophrenia: 20, 30 or 40 Hz click trains :: 20 Hz|30 Hz|40 Hz
Mismatch negativity in children with dyslexia: duration deviants :: standard|deviant
Flanker task of adolescents with ADHD: error or correct :: error|correct
Go-nogo categorization and detection task :: animal|non-animal
A large and rich EEG dataset for modeling human visual object recognition (THINGS-EEG) :: animate|inanimate
Rapid serial visual presentation target image detection :: target|distractor
RSVP of satellite images :: ship|no ship
Visual oddball with standing or walking :: target|standard
Auditory oddball while driving :: standard|deviant
Passive listening to tones in coma patients: standard or deviant :: standard|deviant
Disabled users' P300: yes or no answers :: yes|no
Speller for locked-in patients :: attended|unattended
Reward positivity in gambling: win vs loss :: win|loss
Doors task: gain or loss :: gain|loss
Stop signal task: successful or failed stop :: stop success|stop failure
EEG: pain anticipation, cue high or low :: high|low
Laser-evoked potentials: stimulus intensity :: 3 J|3.5 J
Somatosensory oddball :: standard|deviant
Concealed information test: probe or irrelevant :: probe|irrelevant
Steady-state VEP to faces: upright and inverted (oddball, 1.2 Hz) :: upright|inverted
Old/new recognition memory of pictures :: old|new
Remember/know judgments of older adults :: remember|know
Implicit sequence learning in children: random or sequence :: random|sequence
N400 for congruent and incongruent picture-word pairs in toddlers :: congruent|incongruent
Infants' visual evoked potentials to faces and objects :: face|object
Biological motion in ASD and control adults: upright or scrambled walker :: upright|scrambled
Self-paced reading, garden path sentences :: ambiguous|unambiguous
`;

const other = `
SSVEP Nakanishi 2015 dataset :: 9.25|11.25|13.25
SSVEP Wang 2016: benchmark of 40 targets :: 8|9|10|11
SSVEP Exoskeleton dataset :: 13|17|21|rest
MAMEM1 EEG SSVEP Dataset I (256 channels) :: 6.66|7.50|8.57|10.00|12.00
c-VEP dataset from Thielen et al. (2015) :: 0|1
Eldele c-VEP: burst codes (Castillos 2023) :: 0|1
BETA: SSVEP outside the laboratory :: 8|8.6|9
Alphawaves dataset (Cattan 2018) :: closed|open
Resting-state EEG: eyes open, eyes closed :: EO|EC
LEMON resting state, young and old adults: eyes open or closed :: EO|EC
SRM Resting-state EEG: eyes closed before or after :: t1|t2
EEG eye state data set :: 0|1
Rest in patients with depression: eyes open vs closed :: open|closed
Sleep-EDF Database Expanded :: W|1|2|3|R
Sleep-EDF telemetry: mild difficulty falling asleep :: W|N1|N2|N3|REM
SHHS sleep heart health study staging :: Wake|N1|N2|N3|REM
ISRUC-Sleep: subjects with sleep disorders, sleep stages :: W|N1|N2|N3|R
MASS sleep spindles :: spindle|no spindle
DREAM: dream report after REM awakening :: dream|no dream
HMC sleep staging database :: W|N1|N2|N3|R
Sleep staging of patients with sleep apnea (St. Vincent's) :: W|N1|N2|N3|REM
Sleep cassette healthy subjects 25-101 years :: W|N1|N2|N3|REM
Deep sleep slow oscillation: followed by another one or not :: 1|0
EEG During Mental Arithmetic Tasks (PhysioNet) :: rest|arithmetic
Shin2017B: mental arithmetic :: subtraction|rest
STEW: Simultaneous Task EEG Workload Dataset :: low|high
Neuroergonomic 2021: n-back workload :: 0-back|1-back|2-back
COG-BCI database: MATB-II :: easy|medium|difficult
Mental workload of pilots in flight simulation :: low workload|high workload
Mental attention state detection: focused, unfocused, drowsy :: focused|unfocused|drowsy
Multi-channel EEG recordings during a sustained-attention driving task :: alert|drowsy
SEED-VIG: vigilance estimation in simulated driving :: awake|tired|drowsy
SADT driver drowsiness :: alert|drowsy
Fatigue EEG of drivers (Min 2017) :: normal|fatigue
Mind wandering probes during breath focus :: mind wandering|breath focus
Meditation study: Himalayan Yoga, Vipassana and controls thinking or meditating :: meditation|thinking
Auditory attention detection KUL :: left|right
DTU: attended speaker, male or female :: attend male|attend female
Cocktail party: attend left or right speaker :: left|right
Natural speech: forward or reversed :: forward|reversed
Kara One: imagined phonemes and words :: pat|pot|knew|gnaw
Thinking Out Loud: inner speech :: up|down|left|right
Imagined speech of vowels and words (BCI Competition 2020 track 3) :: hello|help me|stop|thank you|yes
FEIS: imagined phonemes :: f|fleece|goose|k
OpenMIIR: music imagery information retrieval :: Chim Chim Cheree|Jingle Bells
NMED-T: naturalistic music listening tempo :: fast|slow
Music genre decoding while listening :: rock|classical|jazz
PhyAAt: auditory attention to speech in noise :: listening|writing|resting
MindBigData MNIST of brain digits :: 0|1|2|3|4|5|6|7|8|9
EEG ImageNet: 40 object categories :: dog|cat|piano
EEG-SVRec short video: interested or not :: relevant|irrelevant
ZuCo: natural reading and task-specific reading :: NR|TSR
Reading: relevant or irrelevant words :: relevant|irrelevant
Sentiment of sentences read (ZuCo SR) :: SR|NR
EEGEyeNet: saccade direction :: left|right
Eye blinks: voluntary or involuntary :: voluntary|involuntary
Covert visuospatial attention, 4 directions :: up|down|left|right
Visual imagery vs perception of objects :: perception|imagery
Working memory retention load (EEGLearn) :: 2|4|6|8
Sternberg task, memory load in epilepsy patients :: 4|6|8
Digit span task :: memory|control
Multi-tasking in video game :: single|dual
Flight simulator: pilot monitoring or flying :: PF|PM
Braking intention in driving :: brake|normal
Turn left or right before steering :: left|right|straight
Chess: problem difficulty :: easy|hard
Spatial navigation in virtual reality: turn :: left|right
Tactile: texture perception :: rough|smooth
Taste perception: sweet, sour, salty, bitter :: sweet|sour|salty|bitter
Odour: rose or lemon :: rose|lemon
Temperature perception :: hot|cold
Colour perception :: red|green|blue
Motion direction of random dots :: left|right
Ambiguous figures: Necker cube :: stable|reversed
Time perception: long or short interval :: short|long
Deception in a card game :: truth|lie
Trust game: cooperate or defect :: cooperate|defect
Risky choices: safe or gamble :: safe|gamble
Hypnosis session :: hypnosis|control
Caffeine or placebo before n-back :: 2-back|0-back
Real-world walking: outdoors or indoors :: indoor|outdoor
Neurofeedback alpha up or down :: up|down
Language: English or Dutch words :: English|Dutch
Prosody: question or statement :: question|statement
Music: expected or unexpected chord :: expected|unexpected
Emergency braking while the driver is calm :: brake|no brake
Binaural beats 10 Hz vs. silence :: beat|silence
Muscle artifact detection in clinical EEG recordings :: artifact|clean
EEG artifact corpus (TUAR): eye movement, chewing, shiver :: eyem|chew|shiv|elpp
Photic stimulation in healthy children: 5, 10, 15 Hz :: 5 Hz|10 Hz|15 Hz
Movie watching: The Present (HBN-EEG) versus rest :: movie|rest
Surround suppression (HBN-EEG): contrast :: low|high
Contrast change detection: left or right (HBN) :: left|right
Symbol search (HBN EEG) :: correct|incorrect
Neurotypical adults: attention to faces or scenes :: faces|scenes
`;

export const publishedServed: readonly TaskCase[] = [motor, erp, other].flatMap((lines) => readCases(null, lines));
