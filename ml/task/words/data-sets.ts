import type { RefusedCategory } from '../types.ts';

/**
 * Published data sets whose labels are of a refused kind, as their authors write them: in capitals, for some are words.
 * A set that has other labels too (SEED-VIG: vigilance) is not among them.
 */
export const refusedDataSets: Readonly<Partial<Record<RefusedCategory, string>>> = {
  emotion:
    'SEED(?:-(?:IV|V|VII|FRA|GER|DV))?(?!-?VIG)|DEAP|DREAMER|AMIGOS|ASCERTAIN|DECAF|FACED|MAHNOB(?:-HCI)?|THU-EP|MPED|' +
    'GAMEEMO|VREED|WESAD|DASPS|LUMED(?:-2)?|DENS',
  clinical: 'CHB-MIT|TUSZ|TUAB|TUEP|TUEV|MODMA|CAUEEG|I-CARE|NMT',
  biometrics: 'M3CV|BED',
};
