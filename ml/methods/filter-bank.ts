import { logistic, ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import type { Method } from './types.ts';

/**
 * Covariances of a bank of 4 Hz bands from 4 to 40 Hz, each in its own tangent space, one logistic regression over all.
 */
export const filterBankTangent = pipeline(
  {
    id: 'filter-bank-tangent',
    version: '2',
    title: 'Filter-bank tangent space, logistic regression',
    source: 'Ang et al. 2008 (filter bank); Barachant et al. 2012 (tangent space)',
    family: 'filter bank',
    kinds: ['motor', 'sleep', 'other'],
  },
  tangentSpace('fbcov'),
  logistic(1),
);

/** Covariances of a bank of 4 Hz bands from 4 to 40 Hz, each in its own tangent space. */
export const filterBankMethods: readonly Method[] = [
  filterBankTangent,
  pipeline(
    {
      id: 'filter-bank-ridge',
      version: '2',
      title: 'Filter-bank tangent space, ridge discriminant',
      source: 'Ang et al. 2008, IJCNN; Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
      family: 'filter bank',
      kinds: ['motor', 'sleep', 'other'],
    },
    tangentSpace('fbcov'),
    ridge,
  ),
];
