import type { Idea, Ideas, Manner } from './ideas.ts';

/** How certainly a label means a class; null: it does not. */
export type Fit = 'sure' | 'unsure' | null;

/** A class of reference recordings, described by ideas. */
export interface ClassIdea {
  /** The idea that distinguishes it from the other classes of its task. */
  readonly own: Idea;
  readonly manner: Manner | null;
  /** Whether a label means the class. `said`: the ideas of the description. */
  fits(label: Ideas, said: Ideas): Fit;
}

const sides = ['left', 'right', 'both'] as const;
const limbs = ['hand', 'foot'] as const;
const bodies: readonly Idea[] = [...sides, ...limbs];
const only = (found: Ideas, of: readonly Idea[], wanted: readonly Idea[]): boolean =>
  of.every((idea) => found.has(idea) === wanted.includes(idea));
const none = (found: Ideas, ideas: readonly Idea[]): boolean => only(found, ideas, []);
/** True for movement, executed or imagined. */
const ofMovement = (found: Ideas): boolean => found.has('move') || found.has('imagined') || found.has('executed');

const eyes = (own: 'open' | 'closed'): ClassIdea => ({
  own,
  manner: null,
  fits(label, said) {
    if (!only(label, ['open', 'closed'], [own]) || !none(label, bodies)) return null;
    return label.has('eyes') || (said.has('eyes') && none(said, bodies)) ? 'sure' : null;
  },
});

const fist = (own: 'left' | 'right', manner: Manner): ClassIdea => ({
  own,
  manner,
  fits(label, said) {
    if (!only(label, sides, [own]) || label.has('foot') || label.has('eyes') || label.has('rest')) return null;
    if (label.has('hand')) return 'sure';
    if (said.has('foot') || said.has('eyes') || said.has('object') || label.has('object')) return null;
    if (said.has('hand')) return 'sure';
    return ofMovement(label) || ofMovement(said) ? 'unsure' : null;
  },
});

const bothOf = (own: 'hand' | 'foot', manner: Manner): ClassIdea => ({
  own,
  manner,
  fits(label) {
    if (!only(label, limbs, [own]) || !none(label, ['left', 'right', 'eyes', 'rest'])) return null;
    return own === 'foot' || label.has('both') || label.has('hands') ? 'sure' : 'unsure';
  },
});

/** Movement of any limb. A label that names one limb is more specific than the recordings. */
const movement = (manner: Manner): ClassIdea => ({
  own: 'move',
  manner,
  fits(label) {
    if (label.has('rest') || label.has('eyes')) return null;
    if (!none(label, limbs)) return 'unsure';
    return ofMovement(label) && none(label, sides) ? 'sure' : null;
  },
});

const rest = (manner: Manner): ClassIdea => ({
  own: 'rest',
  manner,
  fits(label, said) {
    if (!label.has('rest') || !none(label, [...bodies, 'eyes'])) return null;
    // The recordings rest with open eyes: closed eyes alone change the signal more than movement does.
    return said.has('eyes') && said.has('closed') ? 'unsure' : 'sure';
  },
});

const flash = (own: 'target' | 'non_target'): ClassIdea => ({
  own,
  manner: null,
  fits(label, said) {
    if (!only(label, ['target', 'non_target'], [own])) return null;
    return label.has('speller') || said.has('speller') ? 'sure' : 'unsure';
  },
});

/** The classes of the catalogue by id. A class without a row is matched by its name alone. */
export const classIdeas: Readonly<Record<string, ClassIdea>> = {
  eyes_open: eyes('open'),
  eyes_closed: eyes('closed'),
  left_fist_imagined: fist('left', 'imagined'),
  right_fist_imagined: fist('right', 'imagined'),
  left_fist_executed: fist('left', 'executed'),
  right_fist_executed: fist('right', 'executed'),
  both_fists_imagined: bothOf('hand', 'imagined'),
  both_feet_imagined: bothOf('foot', 'imagined'),
  both_fists_executed: bothOf('hand', 'executed'),
  both_feet_executed: bothOf('foot', 'executed'),
  movement_imagined: movement('imagined'),
  rest_between_imagery: rest('imagined'),
  movement_executed: movement('executed'),
  rest_between_movements: rest('executed'),
  target: flash('target'),
  non_target: flash('non_target'),
};
