import { lda } from './parts/classifiers.ts';
import { csp } from './parts/csp.ts';
import { pipeline } from './parts/pipeline.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Six common spatial patterns of 8–32 Hz, log-variance, linear discriminant analysis. */
export const cspLda = pipeline(
  {
    id: 'csp-lda',
    version: '1',
    title: 'Common spatial patterns, linear discriminant analysis',
    source: 'Blankertz et al. 2008, IEEE Signal Process. Mag. 25(1)',
    family: 'CSP',
    publishedDisadvantage: 7,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'spatial filters'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
    ),
  },
  csp('cov/8-32', 6),
  lda('none'),
);
