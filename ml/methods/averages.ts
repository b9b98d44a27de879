import { augmentedTangentTuned } from './augmented.ts';
import { filterBankTangent } from './filter-bank.ts';
import { windowedMeansLda, xdawnTangentLogistic } from './erp.ts';
import { average } from './parts/average.ts';
import { ensembleTrca } from './phase-locked.ts';
import { logPowerLogistic } from './power.ts';
import { needsFrequencies } from './reasons.ts';
import { filterBankCcaLda, filterBankCcaRule, ssvepMdm } from './ssvep.ts';
import { fgmdm, tangentTuned } from './tangent.ts';
import type { Method } from './types.ts';

/** Averages of methods that make different errors. */
export const averageMethods: readonly Method[] = [
  average(
    {
      id: 'average-ssvep',
      version: '4',
      title: 'Average of methods for flicker: canonical correlation, covariances, task-related components',
      source: 'Stone 1961, Ann. Math. Stat. 32 (linear opinion pools); Guo et al. 2017, ICML (temperatures)',
      family: 'filter bank',
      kinds: ['motor', 'erp', 'sleep', 'other'],
      unreadable: needsFrequencies,
    },
    [filterBankCcaLda, filterBankCcaRule, filterBankTangent, ssvepMdm, ensembleTrca],
  ),
  average(
    {
      id: 'average-erp',
      version: '1',
      title: 'Average of xDAWN covariances, windowed mean amplitudes and log band power',
      source: 'Stone 1961, Ann. Math. Stat. 32 (linear opinion pools); Guo et al. 2017, ICML (temperatures)',
      family: 'xDAWN',
      kinds: ['erp'],
    },
    [xdawnTangentLogistic, windowedMeansLda, logPowerLogistic],
  ),
  average(
    {
      id: 'average-covariances',
      version: '2',
      title: 'Average of tangent space, augmented, filter-bank and geodesic filtering',
      source: 'Stone 1961, Ann. Math. Stat. 32 (linear opinion pools); Guo et al. 2017, ICML (temperatures)',
      family: 'filter bank',
      kinds: ['motor', 'other'],
    },
    [tangentTuned, augmentedTangentTuned, fgmdm, filterBankTangent],
  ),
];
