import { geodesicFilter } from './parts/geodesic-filter.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of 8–32 Hz, geodesic filtering, minimum distance to mean. */
export const fgmdm = pipeline(
  {
    id: 'fgmdm',
    version: '2',
    title: 'Geodesic filtering, minimum distance to mean (FgMDM)',
    source: 'Barachant et al. 2010, LVA/ICA, LNCS 6365',
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
  geodesicFilter,
);
