import type { RefusedCategory } from '../types.ts';

/**
 * Published data sets with labels of a refused kind, with their authors' spelling: in capitals, because some are
 * ordinary words. Sets that also have other labels (SEED-VIG: vigilance) are not listed.
 */
export const refusedDataSets: Readonly<Partial<Record<RefusedCategory, string>>> = {
  emotion:
    'SEED(?:-(?:IV|V|VII|FRA|GER|DV))?(?!-?VIG)|DEAP|DREAMER|AMIGOS|ASCERTAIN|DECAF|FACED|MAHNOB(?:-HCI)?|THU-EP|MPED|' +
    'GAMEEMO|VREED|WESAD|DASPS|LUMED(?:-2)?|DENS',
  clinical: 'CHB-MIT|TUSZ|TUAB|TUEP|TUEV|MODMA|CAUEEG|I-CARE|NMT',
  biometrics: 'M3CV|BED',
};
