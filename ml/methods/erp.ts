import { lda, logistic, ridge, tunedLogistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { erpCovariances } from './parts/xdawn.ts';
import { atMostSeconds } from './reasons.ts';
import type { Method } from './types.ts';

const xdawnSource = 'Rivet et al. 2009, IEEE Trans. Biomed. Eng. 56(8); Barachant & Congedo 2014, arXiv:1409.0107';

export const xdawnTangentLogistic = pipeline(
  {
    id: 'xdawn-tangent-logistic',
    version: '2',
    title: 'xDAWN covariances, tangent space, logistic regression',
    source: xdawnSource,
    family: 'xDAWN',
    kinds: ['erp', 'motor', 'other'],
  },
  erpCovariances({ filtered: true }),
  logistic(1),
);

const xdawnTangentRidge = pipeline(
  {
    id: 'xdawn-tangent-ridge',
    version: '2',
    title: 'xDAWN covariances, tangent space, ridge discriminant',
    source: xdawnSource,
    family: 'xDAWN',
    kinds: ['erp', 'other'],
  },
  erpCovariances({ filtered: true }),
  ridge,
);

const erpTangentLogistic = pipeline(
  {
    id: 'erp-tangent-logistic',
    version: '2',
    title: 'ERP covariances, tangent space, logistic regression',
    source: 'Barachant & Congedo 2014, arXiv:1409.0107',
    family: 'ERP covariances',
    kinds: ['erp'],
  },
  erpCovariances({ filtered: false }),
  logistic(1),
);

/** Mean amplitudes of successive windows, shrinkage LDA. */
export const windowedMeansLda = pipeline(
  {
    id: 'windowed-means-lda',
    version: '1',
    title: 'Windowed mean amplitudes, shrinkage LDA',
    source: 'Blankertz et al. 2011, NeuroImage 56(2)',
    family: 'windowed means',
    kinds: ['erp', 'motor', 'other'],
  },
  plain(['erp/windows'], { standardise: false }),
  lda('auto'),
);

/** Slow potentials before and during movement, of each channel: the lateralised readiness potential differs by side. */
const slowPotentialsLda = pipeline(
  {
    id: 'slow-potentials-lda',
    version: '1',
    title: 'Slow potentials below 4 Hz, shrinkage LDA',
    source: 'Blankertz et al. 2006, IEEE Trans. Neural Syst. Rehabil. Eng. 14(2); Shibasaki & Hallett 2006',
    family: 'slow potentials',
    kinds: ['motor', 'erp', 'other'],
  },
  plain(['slow'], { standardise: false }),
  lda('auto'),
);

/** Mean amplitudes of 25 ms, for short trials. */
const fineMeansLda = pipeline(
  {
    id: 'fine-means-lda',
    version: '1',
    title: 'Mean amplitudes of 25 ms, shrinkage LDA',
    source: 'Blankertz et al. 2011, NeuroImage 56(2)',
    family: 'fine means',
    kinds: ['erp', 'motor', 'other'],
    unreadable: atMostSeconds(1, 'windows of 25 ms'),
  },
  plain(['erp/windows/40'], { standardise: false }),
  lda('auto'),
);

/** Evoked responses: trials stacked under the class averages, or mean amplitudes of successive windows. */
export const erpMethods: readonly Method[] = [
  xdawnTangentLogistic,
  pipeline(
    {
      id: 'xdawn-tangent-tuned',
      version: '1',
      title: 'xDAWN covariances, tangent space, logistic regression, C tuned',
      source: xdawnSource,
      family: 'xDAWN',
      kinds: ['erp'],
    },
    erpCovariances({ filtered: true }),
    tunedLogistic,
  ),
  xdawnTangentRidge,
  erpTangentLogistic,
  windowedMeansLda,
  fineMeansLda,
  slowPotentialsLda,
  pipeline(
    {
      id: 'windowed-means-ridge',
      version: '1',
      title: 'Windowed mean amplitudes, ridge discriminant',
      source: 'Blankertz et al. 2011, NeuroImage 56(2); Golub et al. 1979, Technometrics 21(2)',
      family: 'windowed means',
      kinds: ['erp', 'motor', 'other'],
    },
    plain(['erp/windows'], { standardise: true }),
    ridge,
  ),
];
