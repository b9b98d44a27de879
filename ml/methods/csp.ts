import { lda } from './parts/classifiers.ts';
import { tunedCsp } from './parts/csp-tuned.ts';
import { csp } from './parts/csp.ts';
import { informative } from './parts/mutual-information.ts';
import { pipeline } from './parts/pipeline.ts';
import type { Method } from './types.ts';

/** Six common spatial patterns of 8–32 Hz, log-variance, linear discriminant analysis. */
export const cspLda = pipeline(
  {
    id: 'csp-lda',
    version: '1',
    title: 'Common spatial patterns, linear discriminant analysis',
    source: 'Blankertz et al. 2008, IEEE Signal Process. Mag. 25(1)',
    family: 'CSP',
    kinds: ['motor', 'other'],
  },
  csp('cov/8-32', 6),
  lda('none'),
);

/** Log-variance after common spatial patterns: of 8–32 Hz, or of each 4 Hz band. */
export const cspMethods: readonly Method[] = [
  cspLda,
  pipeline(
    {
      id: 'csp-tuned-lda',
      version: '1',
      title: 'Common spatial patterns, their number tuned, linear discriminant analysis',
      source: 'Blankertz et al. 2008, IEEE Signal Process. Mag. 25(1)',
      family: 'CSP',
      kinds: ['motor', 'other'],
    },
    tunedCsp('cov/8-32', [2, 4, 6, 8]),
    lda('none'),
  ),
  pipeline(
    {
      id: 'filter-bank-csp',
      version: '2',
      title: 'Filter-bank common spatial patterns, LDA',
      source: 'Ang et al. 2008, IJCNN',
      family: 'filter-bank CSP',
      kinds: ['motor', 'other'],
    },
    informative(csp('fbcov', 4), 10),
    lda('auto'),
  ),
];
