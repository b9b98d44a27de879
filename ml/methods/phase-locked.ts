import { commonFilters, ensembleFilters } from './locked/filters.ts';
import { phaseLocked } from './locked/method.ts';
import { atLeastChannels, firstOf } from './reasons.ts';
import type { Check } from './reasons.ts';
import type { Method } from './types.ts';
import { reasonSentence } from '../reason-sentences.ts';

/** For two evoked responses, xDAWN and the windowed means read the same averages with fewer parameters. */
const notForTwoResponses: Check = ({ kind, classes }) =>
  (kind === 'erp' || kind === 'motor') && classes.length === 2 ? reasonSentence('two_responses', {}) : null;

/** Task-related components of each class as one ensemble, correlation with the class averages, in sub-bands. */
export const ensembleTrca = phaseLocked(
  {
    id: 'ensemble-trca',
    version: '1',
    title: 'Ensemble task-related component analysis, filter bank',
    source: 'Nakanishi et al. 2018, IEEE Trans. Biomed. Eng. 65(1)',
    family: 'phase-locked',
    kinds: ['erp', 'motor', 'other'],
    unreadable: firstOf(atLeastChannels(2, 'spatial filters'), notForTwoResponses),
  },
  ensembleFilters,
);

/**
 * Methods for stimulus-locked responses of any shape: flicker named by an index, codes, flashes. They need no
 * frequencies.
 */
export const phaseLockedMethods: readonly Method[] = [
  ensembleTrca,
  phaseLocked(
    {
      id: 'class-templates',
      version: '1',
      title: 'Correlation with class averages through common spatial filters, filter bank',
      source: 'Bin et al. 2011, J. Neural Eng. 8(2); Chen et al. 2015, J. Neural Eng. 12(4)',
      family: 'phase-locked',
      kinds: ['erp', 'other'],
      unreadable: notForTwoResponses,
    },
    commonFilters,
  ),
];
