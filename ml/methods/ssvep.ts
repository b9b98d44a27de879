import { lda, logistic, ridge } from './parts/classifiers.ts';
import { harmonicRule } from './parts/harmonic-rule.ts';
import { minimumDistance } from './parts/minimum-distance.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import type { Method } from './types.ts';

/** Canonical correlations with each stimulation frequency in sub-bands that begin at its harmonics, shrinkage LDA. */
export const filterBankCcaLda = pipeline(
  {
    id: 'filter-bank-cca-lda',
    version: '1',
    title: 'Filter-bank canonical correlation, shrinkage LDA',
    source: 'Chen et al. 2015, J. Neural Eng. 12(4)',
    family: 'CCA',
    kinds: ['motor', 'erp', 'sleep', 'other'],
  },
  plain((frequencies) => [`fbcca/${frequencies.join(',')}`], { standardise: false }),
  lda('auto'),
);

/** The stimulation frequency with the largest summed canonical correlation. It needs hardly any trials. */
export const filterBankCcaRule = harmonicRule({
  id: 'filter-bank-cca-rule',
  version: '1',
  title: 'Filter-bank canonical correlation, the largest wins',
  source: 'Chen et al. 2015, J. Neural Eng. 12(4)',
  family: 'CCA',
  kinds: ['motor', 'erp', 'sleep', 'other'],
});

/** Covariances of copies filtered around each stimulation frequency, nearest Riemannian class mean. */
export const ssvepMdm = minimumDistance(
  {
    id: 'ssvep-mdm',
    version: '1',
    title: 'Narrow-band covariances stacked, minimum distance to mean',
    source: 'Kalunga et al. 2016, Neurocomputing 191',
    family: 'SSVEP tangent',
    kinds: ['motor', 'erp', 'sleep', 'other'],
  },
  ({ frequenciesHz = [] }) => `ssvep/${frequenciesHz.join(',')}`,
  false,
);

/**
 * Responses to flicker: correlations with the stimulation frequencies and their harmonics, or covariances of copies
 * filtered around each.
 */
export const ssvepMethods: readonly Method[] = [
  pipeline(
    {
      id: 'cca-lda',
      version: '1',
      title: 'Canonical correlation with harmonics, shrinkage LDA',
      source: 'Lin et al. 2006, IEEE Trans. Biomed. Eng. 53(12)',
      family: 'CCA',
      kinds: ['motor', 'erp', 'sleep', 'other'],
    },
    plain((frequencies) => [`cca/${frequencies.join(',')}`], { standardise: false }),
    lda('auto'),
  ),
  filterBankCcaLda,
  filterBankCcaRule,
  ssvepMdm,
  pipeline(
    {
      id: 'ssvep-tangent-logistic',
      version: '2',
      title: 'Narrow-band covariances stacked, tangent space, logistic regression',
      source: 'Congedo et al. 2013; Kalunga et al. 2016, Neurocomputing 191',
      family: 'SSVEP tangent',
      kinds: ['motor', 'erp', 'sleep', 'other'],
    },
    tangentSpace((frequencies) => `ssvep/${frequencies.join(',')}`, false),
    logistic(1),
  ),
  pipeline(
    {
      id: 'ssvep-tangent-ridge',
      version: '2',
      title: 'Narrow-band covariances stacked, tangent space, ridge discriminant',
      source: 'Congedo et al. 2013; Kalunga et al. 2016, Neurocomputing 191',
      family: 'SSVEP tangent',
      kinds: ['motor', 'erp', 'sleep', 'other'],
    },
    tangentSpace((frequencies) => `ssvep/${frequencies.join(',')}`, false),
    ridge,
  ),
];
