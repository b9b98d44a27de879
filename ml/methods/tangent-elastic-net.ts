import { elasticNet } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of 8–32 Hz in the Riemannian tangent space, logistic regression with an elastic-net penalty (C = 1, 70 % L1). */
export const tangentElasticNet = pipeline(
  {
    id: 'tangent-elastic-net',
    version: '2',
    title: 'Riemannian tangent space, elastic net',
    source: 'Corsi et al. 2022, J. Neural Eng. 19; Zou & Hastie 2005, J. R. Stat. Soc. B 67(2)',
    family: 'tangent 8–32 Hz',
    publishedDisadvantage: 2,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
    ),
  },
  tangentSpace('cov/8-32'),
  elasticNet(1, 0.7),
);
