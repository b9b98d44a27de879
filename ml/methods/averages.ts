import { augmentedTangentTuned } from './augmented.ts';
import { filterBankTangent } from './filter-bank.ts';
import { average } from './parts/average.ts';
import { filterBankCcaLda, ssvepMdm } from './ssvep.ts';
import { fgmdm, tangentTuned } from './tangent.ts';
import type { Method } from './types.ts';

/** Averages of methods that err differently. */
export const averageMethods: readonly Method[] = [
  average(
    {
      id: 'average-ssvep',
      version: '3',
      title: 'Average of filter-bank canonical correlation, filter bank and narrow-band covariances',
      source: 'Heskes 1998, NeurIPS (logarithmic opinion pools)',
      family: 'filter bank',
      publishedDisadvantage: { motor: 0, erp: 0, sleep: 0, other: 0 },
    },
    [filterBankCcaLda, filterBankTangent, ssvepMdm],
  ),
  average(
    {
      id: 'average-covariances',
      version: '2',
      title: 'Average of tangent space, augmented, filter-bank and geodesic filtering',
      source: 'Heskes 1998, NeurIPS (logarithmic opinion pools)',
      family: 'filter bank',
      publishedDisadvantage: { motor: 0, other: 0 },
    },
    [tangentTuned, augmentedTangentTuned, fgmdm, filterBankTangent],
  ),
];
