import { lda } from './parts/classifiers.ts';
import { csp } from './parts/csp.ts';
import { informative } from './parts/mutual-information.ts';
import { pipeline } from './parts/pipeline.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Four common spatial patterns in each 4 Hz band, the ten most informative, shrinkage linear discriminant analysis. */
export const filterBankCsp = pipeline(
  {
    id: 'filter-bank-csp',
    version: '2',
    title: 'Filter-bank common spatial patterns, LDA',
    source: 'Ang et al. 2008, IJCNN',
    family: 'filter-bank CSP',
    publishedDisadvantage: 8,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'spatial filters'),
      atLeastSeconds(0.5, 'two periods of 4 Hz'),
      atLeastRate(20),
    ),
  },
  informative(csp('fbcov', 4), 10),
  lda('auto'),
);
