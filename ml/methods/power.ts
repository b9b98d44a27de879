import { boostedTrees } from './parts/boosted-trees.ts';
import { logistic, ridge } from './parts/classifiers.ts';
import { fixedSites } from './parts/fixed-sites.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastTrialsPerClass } from './reasons.ts';
import type { Method } from './types.ts';

/** Log band power of every channel, logistic regression. */
export const logPowerLogistic = pipeline(
  {
    id: 'log-power-logistic',
    version: '1',
    title: 'Log band power, logistic regression',
    source: 'Pfurtscheller & Lopes da Silva 1999, Clin. Neurophysiol. 110(11)',
    family: 'band power',
    kinds: ['motor', 'sleep', 'other', 'erp'],
  },
  plain(['logpower'], { standardise: true }),
  logistic(1),
);

/**
 * Log powers: of bands, of a spectrum from 1 to 45 Hz, of the 19 sites of the 10-20 system, of the surface Laplacian.
 */
export const powerMethods: readonly Method[] = [
  logPowerLogistic,
  pipeline(
    {
      id: 'log-power-ridge',
      version: '1',
      title: 'Log band power, ridge discriminant',
      source:
        'Pfurtscheller & Lopes da Silva 1999, Clin. Neurophysiol. 110(11); Golub et al. 1979, Technometrics 21(2)',
      family: 'band power',
      kinds: ['motor', 'sleep', 'other'],
    },
    plain(['logpower'], { standardise: true }),
    ridge,
  ),
  pipeline(
    {
      id: 'log-spectrum-logistic',
      version: '1',
      title: 'Log spectrum, logistic regression',
      source: 'Welch 1967, IEEE Trans. Audio Electroacoust. 15(2)',
      family: 'spectrum',
      kinds: ['motor', 'sleep', 'other'],
    },
    plain(['logspectrum'], { standardise: true }),
    logistic(0.01),
  ),
  pipeline(
    {
      id: 'log-spectrum-ridge',
      version: '1',
      title: 'Log spectrum, ridge discriminant',
      source: 'Welch 1967, IEEE Trans. Audio Electroacoust. 15(2); Golub et al. 1979, Technometrics 21(2)',
      family: 'spectrum',
      kinds: ['motor', 'sleep', 'other'],
    },
    plain(['logspectrum'], { standardise: true }),
    ridge,
  ),
  pipeline(
    {
      id: 'fixed-sites-logistic',
      version: '1',
      title: 'Relative log band power of 19 fixed sites, logistic regression',
      source: 'John et al. 1988, Science 239(4836); Jasper 1958, Electroencephalogr. Clin. Neurophysiol. 10',
      family: 'fixed sites',
      kinds: ['motor', 'sleep', 'other'],
    },
    fixedSites('sites19/logpower'),
    logistic(1),
  ),
  pipeline(
    {
      id: 'laplacian-power-ridge',
      version: '1',
      title: 'Log band power of the surface Laplacian, ridge discriminant',
      source: 'Perrin et al. 1989, Electroencephalogr. Clin. Neurophysiol. 72(2); McFarland et al. 1997, ibid. 103(3)',
      family: 'surface Laplacian',
      kinds: ['motor', 'other'],
    },
    plain(['laplacian/logpower'], { standardise: true }),
    ridge,
  ),
];

/** Log band power of every channel, gradient-boosted trees with class weights. */
export const powerTrees = pipeline(
  {
    id: 'power-trees',
    version: '1',
    title: 'Log band power, gradient-boosted trees',
    source: 'Friedman 2001, Ann. Stat. 29(5); Ke et al. 2017, NeurIPS',
    family: 'power trees',
    kinds: ['sleep', 'other'],
    unreadable: atLeastTrialsPerClass(40, 'trees of several leaves'),
  },
  plain(['logpower'], { standardise: false }),
  boostedTrees,
);
