import { lda } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds, firstOf, needsFrequencies } from './reasons.ts';

/** Canonical correlations with sines and cosines of each stimulation frequency and its harmonic, shrinkage LDA. */
export const ccaLda = pipeline(
  {
    id: 'cca-lda',
    version: '1',
    title: 'Canonical correlation with harmonics, shrinkage LDA',
    source: 'Lin et al. 2006, IEEE Trans. Biomed. Eng. 53(12)',
    family: 'CCA',
    publishedDisadvantage: 0,
    kinds: ['motor', 'erp', 'sleep', 'other'],
    unreadable: firstOf(needsFrequencies, atLeastSeconds(0.5, 'several periods of the stimulation')),
  },
  plain((frequencies) => [`cca/${frequencies.join(',')}`], { standardise: false }),
  lda('auto'),
);
