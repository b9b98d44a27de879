import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds, atMostSeconds, firstOf } from './reasons.ts';

/** Mean amplitude of successive windows per channel, standardised, ridge with its penalty by leave-one-out. */
export const windowedMeansRidge = pipeline(
  {
    id: 'windowed-means-ridge',
    version: '1',
    title: 'Windowed mean amplitudes, ridge discriminant',
    source: 'Blankertz et al. 2011, NeuroImage 56(2); Golub et al. 1979, Technometrics 21(2)',
    family: 'windowed means',
    publishedDisadvantage: 10,
    kinds: ['erp', 'motor', 'other'],
    unreadable: firstOf(atLeastSeconds(0.2, 'an evoked response'), atMostSeconds(5, 'an evoked response')),
  },
  plain(['erp/windows'], { standardise: true }),
  ridge,
);
