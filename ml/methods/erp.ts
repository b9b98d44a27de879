import { lda, logistic, ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { erpCovariances } from './parts/xdawn.ts';
import type { Method } from './types.ts';

/** Evoked responses: trials stacked under the class averages, or mean amplitudes of successive windows. */
export const erpMethods: readonly Method[] = [
  pipeline(
    {
      id: 'xdawn-tangent-logistic',
      version: '1',
      title: 'xDAWN covariances, tangent space, logistic regression',
      source: 'Rivet et al. 2009, IEEE Trans. Biomed. Eng. 56(8); Barachant & Congedo 2014, arXiv:1409.0107',
      family: 'xDAWN',
      publishedDisadvantage: { erp: 0, other: 2 },
    },
    erpCovariances({ filtered: true }),
    logistic(1),
  ),
  pipeline(
    {
      id: 'xdawn-tangent-ridge',
      version: '1',
      title: 'xDAWN covariances, tangent space, ridge discriminant',
      source: 'Rivet et al. 2009, IEEE Trans. Biomed. Eng. 56(8); Barachant & Congedo 2014, arXiv:1409.0107',
      family: 'xDAWN',
      publishedDisadvantage: { erp: 1, other: 2 },
    },
    erpCovariances({ filtered: true }),
    ridge,
  ),
  pipeline(
    {
      id: 'erp-tangent-logistic',
      version: '1',
      title: 'ERP covariances, tangent space, logistic regression',
      source: 'Barachant & Congedo 2014, arXiv:1409.0107',
      family: 'ERP covariances',
      publishedDisadvantage: { erp: 5 },
    },
    erpCovariances({ filtered: false }),
    logistic(1),
  ),
  pipeline(
    {
      id: 'windowed-means-lda',
      version: '1',
      title: 'Windowed mean amplitudes, shrinkage LDA',
      source: 'Blankertz et al. 2011, NeuroImage 56(2)',
      family: 'windowed means',
      publishedDisadvantage: { erp: 3, other: 4 },
    },
    plain(['erp/windows'], { standardise: false }),
    lda('auto'),
  ),
  pipeline(
    {
      id: 'windowed-means-ridge',
      version: '1',
      title: 'Windowed mean amplitudes, ridge discriminant',
      source: 'Blankertz et al. 2011, NeuroImage 56(2); Golub et al. 1979, Technometrics 21(2)',
      family: 'windowed means',
      publishedDisadvantage: { erp: 4, motor: 10, other: 8 },
    },
    plain(['erp/windows'], { standardise: true }),
    ridge,
  ),
];
