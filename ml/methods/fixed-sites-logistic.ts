import { logistic } from './parts/classifiers.ts';
import { fixedSites } from './parts/fixed-sites.ts';
import { pipeline } from './parts/pipeline.ts';
import { atLeastSeconds, firstOf } from './reasons.ts';
import { atLeastSites, everySiteNamed } from './site-reasons.ts';

/** Relative log band power of the 19 sites of the 10-20 system, logistic regression. */
export const fixedSitesLogistic = pipeline(
  {
    id: 'fixed-sites-logistic',
    version: '1',
    title: 'Relative log band power of 19 fixed sites, logistic regression',
    source: 'John et al. 1988, Science 239(4836); Jasper 1958, Electroencephalogr. Clin. Neurophysiol. 10',
    family: 'fixed sites',
    publishedDisadvantage: 8,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: firstOf(everySiteNamed, atLeastSites(2), atLeastSeconds(0.5, 'two periods of 4 Hz')),
  },
  fixedSites('sites19/logpower'),
  logistic(1),
);
