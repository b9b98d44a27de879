import { lda } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds, atMostSeconds, firstOf } from './reasons.ts';

/** Mean amplitude of successive windows per channel, shrinkage linear discriminant analysis. */
export const windowedMeansLda = pipeline(
  {
    id: 'windowed-means-lda',
    version: '1',
    title: 'Windowed mean amplitudes, shrinkage LDA',
    source: 'Blankertz et al. 2011, NeuroImage 56(2)',
    family: 'windowed means',
    publishedDisadvantage: 3,
    kinds: ['erp', 'other'],
    unreadable: firstOf(atLeastSeconds(0.2, 'an evoked response'), atMostSeconds(5, 'an evoked response')),
  },
  plain(['erp/windows'], { standardise: false }),
  lda('auto'),
);
