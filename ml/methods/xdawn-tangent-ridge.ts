import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { erpCovariances } from './parts/xdawn.ts';
import { atLeastSeconds, atMostSeconds, firstOf, notDeferred } from './reasons.ts';

/** xDAWN covariances in the Riemannian tangent space, ridge with its penalty by leave-one-out. */
export const xdawnTangentRidge = pipeline(
  {
    id: 'xdawn-tangent-ridge',
    version: '1',
    title: 'xDAWN covariances, tangent space, ridge discriminant',
    source: 'Rivet et al. 2009, IEEE Trans. Biomed. Eng. 56(8); Barachant & Congedo 2014, arXiv:1409.0107',
    family: 'xDAWN',
    publishedDisadvantage: 1,
    kinds: ['erp', 'other'],
    unreadable: firstOf(atLeastSeconds(0.2, 'an evoked response'), atMostSeconds(5, 'an evoked response'), notDeferred),
  },
  erpCovariances({ filtered: true }),
  ridge,
);
