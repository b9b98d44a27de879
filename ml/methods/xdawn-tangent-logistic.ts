import { logistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { erpCovariances } from './parts/xdawn.ts';
import { atLeastSeconds, atMostSeconds, firstOf, notDeferred } from './reasons.ts';

/** xDAWN covariances in the Riemannian tangent space, logistic regression. */
export const xdawnTangentLogistic = pipeline(
  {
    id: 'xdawn-tangent-logistic',
    version: '1',
    title: 'xDAWN covariances, tangent space, logistic regression',
    source: 'Rivet et al. 2009, IEEE Trans. Biomed. Eng. 56(8); Barachant & Congedo 2014, arXiv:1409.0107',
    family: 'xDAWN',
    publishedDisadvantage: 0,
    kinds: ['erp', 'other'],
    unreadable: firstOf(atLeastSeconds(0.2, 'an evoked response'), atMostSeconds(5, 'an evoked response'), notDeferred),
  },
  erpCovariances({ filtered: true }),
  logistic(1),
);
