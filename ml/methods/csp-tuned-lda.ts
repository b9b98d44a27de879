import { lda } from './parts/classifiers.ts';
import { tunedCsp } from './parts/csp-tuned.ts';
import { pipeline } from './parts/pipeline.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Two to eight common spatial patterns of 8–32 Hz, as many as the training trials choose, log-variance, linear discriminant analysis. */
export const cspTunedLda = pipeline(
  {
    id: 'csp-tuned-lda',
    version: '1',
    title: 'Common spatial patterns, their number tuned, linear discriminant analysis',
    source: 'Blankertz et al. 2008, IEEE Signal Process. Mag. 25(1)',
    family: 'CSP',
    publishedDisadvantage: 7,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(3, 'a choice of spatial filters'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
    ),
  },
  tunedCsp('cov/8-32', [2, 4, 6, 8]),
  lda('none'),
);
