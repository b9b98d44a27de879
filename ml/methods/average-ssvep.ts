import { filterBankCcaLda } from './filter-bank-cca-lda.ts';
import { filterBankTangent } from './filter-bank-tangent.ts';
import { average } from './parts/average.ts';
import { firstOf } from './reasons.ts';
import { ssvepMdm } from './ssvep-mdm.ts';

const members = [filterBankCcaLda, filterBankTangent, ssvepMdm];

/** Average of the three ways to read a stimulation frequency. */
export const averageSsvep = average(
  {
    id: 'average-ssvep',
    version: '3',
    title: 'Average of filter-bank canonical correlation, filter bank and narrow-band covariances',
    source: 'Heskes 1998, NeurIPS (logarithmic opinion pools)',
    family: 'filter bank',
    publishedDisadvantage: 0,
    kinds: ['motor', 'erp', 'sleep', 'other'],
    unreadable: firstOf(...members.map((member) => member.unreadable)),
  },
  members,
);
