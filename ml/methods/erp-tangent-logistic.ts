import { logistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { erpCovariances } from './parts/xdawn.ts';
import { atLeastSeconds, atMostChannels, atMostClasses, atMostSeconds, firstOf, notDeferred } from './reasons.ts';

/** ERP covariances of all channels in the Riemannian tangent space, logistic regression. */
export const erpTangentLogistic = pipeline(
  {
    id: 'erp-tangent-logistic',
    version: '1',
    title: 'ERP covariances, tangent space, logistic regression',
    source: 'Barachant & Congedo 2014, arXiv:1409.0107',
    family: 'ERP covariances',
    publishedDisadvantage: 3,
    kinds: ['erp'],
    unreadable: firstOf(
      atMostChannels(16, 'stacked with every class average'),
      atMostClasses(3, 'stacked with every class average'),
      atLeastSeconds(0.2, 'an evoked response'),
      atMostSeconds(5, 'an evoked response'),
      notDeferred,
    ),
  },
  erpCovariances({ filtered: false }),
  logistic(1),
);
