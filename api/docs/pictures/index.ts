import { blocks, folds, overlap } from './plans.ts';
import { calibration, chance, controls, corrected, learning } from './scores.ts';

/** Pictures of the pages by name, as HTML. */
export const pictures = {
  folds,
  overlap,
  blocks,
  corrected,
  chance,
  learning,
  calibration,
  controls,
} as const satisfies Readonly<Record<string, () => string>>;
