import { lda } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds, firstOf, needsFrequencies } from './reasons.ts';

/** Canonical correlations with each stimulation frequency in sub-bands that begin at its harmonics, shrinkage LDA. */
export const filterBankCcaLda = pipeline(
  {
    id: 'filter-bank-cca-lda',
    version: '1',
    title: 'Filter-bank canonical correlation, shrinkage LDA',
    source: 'Chen et al. 2015, J. Neural Eng. 12(4)',
    family: 'CCA',
    publishedDisadvantage: 0,
    kinds: ['motor', 'erp', 'sleep', 'other'],
    unreadable: firstOf(needsFrequencies, atLeastSeconds(0.5, 'several periods of the stimulation')),
  },
  plain((frequencies) => [`fbcca/${frequencies.join(',')}`], { standardise: false }),
  lda('auto'),
);
