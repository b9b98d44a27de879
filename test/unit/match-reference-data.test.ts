import { describe, expect, it } from 'vitest';
import { dataSets } from '../../infra/contract/reference-data/data-sets.ts';
import { matchReference, type MatchableTask } from '../../ml/task/index.ts';
import { classIdeas } from '../../ml/task/class-ideas.ts';

const tasks: MatchableTask[] = dataSets.flatMap(({ id: set, tasks: all }) =>
  all.map(({ id: task, name, classes }) => ({ set, task, name, classes })),
);
const match = (description: string, classes: readonly string[] | null = null) =>
  matchReference(tasks, { description, classes });

/** What matching answers, in one line: `task: classes`, `? task | task`, `none`. */
function shown(description: string, classes: readonly string[] | null): string {
  const result = match(description, classes);
  if (result.kind === 'matched') return `${result.task.task}: ${Object.values(result.mapping).join(', ')}`;
  if (result.kind === 'ambiguous') return `? ${result.matches.map(({ task }) => task.task).join(' | ')}`;
  return 'none';
}

const eyes = 'eyes-open-closed: eyes_closed, eyes_open';
const fists = (manner: string) => `left-right-fist-${manner}: left_fist_${manner}, right_fist_${manner}`;
const feet = (manner: string) => `fists-feet-${manner}: both_fists_${manner}, both_feet_${manner}`;
const imagery = 'movement-rest-imagined: movement_imagined, rest_between_imagery';
const moves = 'movement-rest-executed: movement_executed, rest_between_movements';
const p300 = 'visual-p300: target, non_target';
const either = '? left-right-fist-imagined | left-right-fist-executed';

const table: readonly (readonly [string, string, readonly string[] | null])[] = [
  // Eyes
  [eyes, 'eyes closed versus eyes open at rest', null],
  [eyes, 'resting state: eyes closed or open', ['EC', 'EO']],
  [eyes, 'EC vs EO', null],
  [eyes, 'resting EEG', ['eyes shut', 'eyes open']],
  [eyes, 'eyes', ['closed', 'open']],
  [eyes, 'resting state', ['eyes_closed', 'eyes_open']],
  [eyes, 'Ruhe-EEG, Augen zu oder Augen auf', null],
  [eyes, 'Ruhe', ['Augen geschlossen', 'Augen offen']],
  [eyes, 'repos', ['yeux fermés', 'yeux ouverts']],
  [eyes, 'reposo: ojos cerrados u ojos abiertos', null],
  [eyes, 'a riposo', ['occhi chiusi', 'occhi aperti']],
  [eyes, 'olhos fechados ou abertos', ['fechados', 'abertos']],
  [eyes, 'rust, ogen dicht of open', ['ogen dicht', 'ogen open']],
  [eyes, '静息态', ['闭眼', '睁眼']],
  [eyes, '安静時', ['閉眼', '開眼']],
  ['eyes-open-closed: eyes_open, eyes_closed', 'at rest', ['Eyes-Open', 'Eyes-Closed']],
  // Left or right fist
  [fists('imagined'), 'motor imagery', ['left fist', 'right fist']],
  [fists('imagined'), 'motor imagery: left hand or right hand', null],
  [fists('imagined'), 'motor imagery of the left or right hand', ['left', 'right']],
  [fists('imagined'), 'two classes', ['LH imagery', 'RH imagery']],
  [fists('imagined'), 'MI, hands', ['L hand', 'R hand']],
  [fists('imagined'), 'imagine moving the left or right fist', ['left_hand', 'right_hand']],
  [fists('imagined'), 'imagined, not executed', ['left hand movement', 'right hand movement']],
  [fists('imagined'), 'auditory cue, then imagery of the left or right hand', null],
  [fists('imagined'), 'Bewegungsvorstellung: linke oder rechte Hand', null],
  [fists('imagined'), 'vorgestellte Faust', ['linke Faust', 'rechte Faust']],
  [fists('imagined'), 'imagerie motrice', ['main gauche', 'main droite']],
  [fists('imagined'), 'imaginación motora', ['mano izquierda', 'mano derecha']],
  [fists('imagined'), 'immaginazione motoria', ['mano sinistra', 'mano destra']],
  [fists('imagined'), '运动想象', ['左手', '右手']],
  [fists('imagined'), 'left fist imagined or right fist imagined', null],
  [fists('executed'), 'executed movement', ['left fist', 'right fist']],
  [fists('executed'), 'opening and closing the left or right fist', null],
  [fists('executed'), 'Faust schliessen, ausgeführt', ['links', 'rechts']],
  [fists('executed'), 'mouvement réel', ['poing gauche', 'poing droit']],
  [fists('executed'), 'x', ['left fist moved', 'right fist moved']],
  // Short, foreign and joined labels
  [fists('imagined'), 'motor imagery of the left or right hand', ['L', 'R']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['l', 'r']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['LEFT', 'RIGHT']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['links', 'rechts']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['gauche', 'droite']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['izquierda', 'derecha']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['sinistra', 'destra']],
  [fists('imagined'), 'motor imagery of the left or right hand', ['左', '右']],
  [fists('imagined'), 'motor imagery', ['lefthand', 'righthand']],
  [fists('imagined'), 'motor imagery', ['hand_left', 'hand_right']],
  [fists('imagined'), 'motor imagery', ['MI-LH', 'MI-RH']],
  [fists('imagined'), 'motor imagery with a cursor as feedback', ['left hand', 'right hand']],
  [
    'left-right-fist-imagined: right_fist_imagined, left_fist_imagined',
    'motor imagery of the left or right hand',
    ['R', 'L'],
  ],
  ['? left-right-fist-imagined', 'motor imagery', ['L', 'R']],
  [either, 'left or right fist', null],
  [either, 'which hand', ['left hand', 'right hand']],
  [either, 'real or imagined', ['left hand', 'right hand']],
  ['? left-right-fist-imagined', 'motor imagery', ['left', 'right']],
  ['? left-right-fist-imagined', 'motor imagery left vs right', null],
  // Fists or feet
  [feet('imagined'), 'motor imagery: both fists or both feet', null],
  [feet('imagined'), 'motor imagery', ['fists', 'feet']],
  [feet('imagined'), 'Bewegungsvorstellung', ['beide Fäuste', 'beide Füße']],
  [feet('imagined'), 'imagerie motrice', ['deux mains', 'pieds']],
  [feet('executed'), 'executed movement', ['both hands', 'both feet']],
  [feet('executed'), 'x', ['both fists moved', 'both feet moved']],
  ['? fists-feet-imagined', 'motor imagery', ['hand', 'feet']],
  // Movement or rest
  [imagery, 'motor imagery against rest', ['imagery', 'rest']],
  [imagery, 'motor imagery', ['movement', 'idle']],
  [imagery, 'imagined movement or rest', null],
  [moves, 'movement or rest', ['movement', 'rest']],
  [moves, 'Bewegung oder Ruhe', null],
  ['? movement-rest-imagined', 'motor imagery', ['right hand', 'rest']],
  ['? movement-rest-executed', 'resting with eyes closed against movement', ['rest', 'movement']],
  ['? movement-rest-imagined', 'motor imagery, or rest with closed eyes', ['imagery', 'rest']],
  [moves, 'resting with eyes open against movement', ['movement', 'rest']],
  // Attended flashes
  [p300, 'P300 speller', ['target', 'non-target']],
  [p300, 'visual P300, target or nontarget', null],
  [p300, 'Brain Invaders', ['Target', 'NonTarget']],
  [p300, 'P300', ['cible', 'non-cible']],
  ['? visual-p300', 'P300 speller', null],
  ['? visual-p300', 'oddball', ['target', 'non-target']],
  // None of them
  ...(
    [
      ['resting with eyes closed against movement', null],
      ['mental rotation of the left or right hand', ['left', 'right']],
      ['mental rotation of the left or right hand', ['left hand', 'right hand']],
      ['mental rotation of hands', ['L', 'R']],
      ['hand laterality judgement', ['left', 'right']],
      ['mentale Rotation von Händen', ['links', 'rechts']],
      ['rotation mentale de la main', ['gauche', 'droite']],
      ['cursor control to the left or right by imagined hand movement', ['left', 'right']],
      ['cursor control to the left or right by imagined hand movement', null],
      ['imagined cursor movement', ['left', 'right']],
      ['imagined cursor movement', ['cursor left', 'cursor right']],
      ['move the cursor to the left or right', ['L', 'R']],
      ['joystick to the left or right with the hand', ['left', 'right']],
      ['imagine moving a ball', ['left', 'right']],
      ['wheelchair control by imagery', ['left', 'right']],
      ['Cursor mit vorgestellter Handbewegung', ['links', 'rechts']],
      ['curseur, imagerie de la main', ['gauche', 'droite']],
      ['motor imagery of the left or right hand', ['1', '2']],
      ['motor imagery of the left or right hand', ['769', '770']],
      ['motor imagery of the left or right hand', ['L', 'F']],
      ['motor imagery of the left or right foot', ['L', 'R']],
      ['left ear or right ear tone', null],
      ['left ear or right ear tone', ['left', 'right']],
      ['auditory oddball', ['target', 'non-target']],
      ['SSVEP: which target flickers', ['target', 'non-target']],
      ['motor imagery', ['left hand', 'right hand', 'feet', 'tongue']],
      ['motor imagery', ['left hand', 'right hand', 'rest']],
      ['motor imagery', ['right hand', 'feet']],
      ['motor imagery of left or right index finger', ['left', 'right']],
      ['motor imagery', ['left finger', 'right finger']],
      ['motor imagery', ['left foot', 'right foot']],
      ['motor imagery', ['hand', 'tongue']],
      ['covert attention to the left or right visual field', null],
      ['eye movements', ['left', 'right']],
      ['eyes', ['left eye closed', 'right eye closed']],
      ['saccades', ['left', 'right']],
      ['imagined speech', ['left', 'right']],
      ['pictures of a left or right hand', ['left hand', 'right hand']],
      ['action observation', ['left fist', 'right fist']],
      ['vibration of the left or right hand', null],
      ['hand open or hand closed', ['open', 'closed']],
      ['grasping: hand opening or closing', ['open', 'close']],
      ['door open or closed', ['open', 'closed']],
      ['eyes closed, awake or drowsy', ['awake', 'drowsy']],
      ['eyes closed', ['rest', 'arithmetic']],
      ['eyes closed', null],
      ['left or right turn while driving', ['left', 'right']],
      ['right or wrong answers', ['right', 'wrong']],
      ['left-handed or right-handed writers', ['left', 'right']],
      ['linkes oder rechtes Ohr', ['links', 'rechts']],
      ['oreille gauche ou droite', ['gauche', 'droite']],
      ['sleep stages', ['wake', 'N1', 'N2']],
      ['13 Hz or 17 Hz flicker', ['13 Hz', '17 Hz']],
      ['music or silence', ['music', 'silence']],
      ['resting state or task', ['rest', 'task']],
      ['手指', ['左手', '右手']],
      ['button press', ['left hand', 'right hand']],
      ['hands', ['left', 'left hand']],
      ['faces or houses', ['face', 'house']],
      ['on the other hand, what is left', ['a', 'b']],
      ['motor imagery', ['class 1', 'class 2']],
      ['one or two', ['imagined left fist', 'executed left fist']],
    ] as const
  ).map(([description, classes]) => ['none', description, classes] as const),
];

describe('matching of words to reference classes', () => {
  it.each(table)('answers "%s" to "%s" with %j', (expected, description, classes) => {
    expect(shown(description, classes)).toBe(expected);
  });

  it('has more than sixty phrases that match and that do not, and a row of ideas for every class of the catalogue', () => {
    expect(table.length).toBeGreaterThan(60);
    expect(table.filter(([expected]) => expected === 'none').length).toBeGreaterThan(30);
    expect(tasks.flatMap(({ classes }) => classes.map(({ id }) => id)).filter((id) => !classIdeas[id])).toEqual([]);
  });

  it('matches the names of every class of the catalogue as they are', () => {
    for (const { task, name, classes } of tasks) {
      const result = match(
        name,
        classes.map((each) => each.name),
      );
      const ids = result.kind === 'matched' ? [result.task.task, ...Object.values(result.mapping)] : [result.kind];
      expect(ids, name).toEqual(
        task === 'visual-p300' ? [task, 'target', 'non_target'] : [task, ...classes.map(({ id }) => id)],
      );
    }
  });

  it('keeps the order and the names of the caller', () => {
    const result = match('motor imagery', ['right fist', 'left fist']);
    expect(result).toMatchObject({
      kind: 'matched',
      mapping: { 'right fist': 'right_fist_imagined', 'left fist': 'left_fist_imagined' },
    });
  });

  it('matches classes of a new data set by their names', () => {
    const other = {
      set: 's',
      version: '1',
      task: 't',
      name: 'Blinks',
      classes: [
        { id: 'a_one', name: 'kind one' },
        { id: 'b_two', name: 'kind two' },
      ],
    };
    const result = matchReference([other], { description: 'x', classes: ['Kind-Two', 'a one'] });
    expect(result).toMatchObject({ kind: 'matched', mapping: { 'Kind-Two': 'b_two', 'a one': 'a_one' } });
  });

  it('names the nearest tasks if none matches', () => {
    const result = match('motor imagery', ['left hand', 'right hand', 'tongue']);
    expect(result.kind === 'none' && result.nearest.map(({ task }) => task).slice(0, 2)).toEqual([
      'left-right-fist-imagined',
      'left-right-fist-executed',
    ]);
    expect(match('music or silence')).toEqual({ kind: 'none', nearest: [] });
    const imagined = match('motor imagery');
    expect(imagined.kind === 'none' && imagined.nearest.map(({ task }) => task)).toEqual([
      'left-right-fist-imagined',
      'fists-feet-imagined',
      'movement-rest-imagined',
    ]);
  });
});
