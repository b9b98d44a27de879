import { augmentedTangentTuned } from './augmented-tangent-tuned.ts';
import { fgmdm } from './fgmdm.ts';
import { filterBankTangent } from './filter-bank-tangent.ts';
import { average } from './parts/average.ts';
import { firstOf } from './reasons.ts';
import { tangentTuned } from './tangent-tuned.ts';

const members = [tangentTuned, augmentedTangentTuned, fgmdm, filterBankTangent];

/** Average of four covariance methods that err differently. */
export const averageCovariances = average(
  {
    id: 'average-covariances',
    version: '2',
    title: 'Average of tangent space, augmented, filter-bank and geodesic filtering',
    source: 'Heskes 1998, NeurIPS (logarithmic opinion pools)',
    family: 'filter bank',
    publishedDisadvantage: 0,
    kinds: ['motor', 'other'],
    unreadable: firstOf(...members.map((member) => member.unreadable)),
  },
  members,
);
