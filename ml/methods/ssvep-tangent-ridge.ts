import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastSeconds, atMostStack, firstOf, needsFrequencies } from './reasons.ts';

/** Covariances of copies filtered around each stimulation frequency, tangent space, ridge with its penalty by leave-one-out. */
export const ssvepTangentRidge = pipeline(
  {
    id: 'ssvep-tangent-ridge',
    version: '2',
    title: 'Narrow-band covariances stacked, tangent space, ridge discriminant',
    source: 'Congedo et al. 2013; Kalunga et al. 2016, Neurocomputing 191',
    family: 'SSVEP tangent',
    publishedDisadvantage: 1,
    kinds: ['motor', 'erp', 'sleep', 'other'],
    unreadable: firstOf(needsFrequencies, atMostStack(96), atLeastSeconds(1, 'bands of 1 Hz')),
  },
  tangentSpace((frequencies) => `ssvep/${frequencies.join(',')}`, false),
  ridge,
);
