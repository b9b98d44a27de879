import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds } from './reasons.ts';

/** Log spectrum of every channel from 1 to 45 Hz, standardised, ridge with its penalty by leave-one-out. */
export const logSpectrumRidge = pipeline(
  {
    id: 'log-spectrum-ridge',
    version: '1',
    title: 'Log spectrum, ridge discriminant',
    source: 'Welch 1967, IEEE Trans. Audio Electroacoust. 15(2); Golub et al. 1979, Technometrics 21(2)',
    family: 'spectrum',
    publishedDisadvantage: 6,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: atLeastSeconds(1, 'bins of 1 Hz'),
  },
  plain(['logspectrum'], { standardise: true }),
  ridge,
);
