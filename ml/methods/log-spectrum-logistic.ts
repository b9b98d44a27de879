import { logistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds } from './reasons.ts';

/** Log spectrum of every channel from 1 to 45 Hz, standardised, logistic regression. */
export const logSpectrumLogistic = pipeline(
  {
    id: 'log-spectrum-logistic',
    version: '1',
    title: 'Log spectrum, logistic regression',
    source: 'Welch 1967, IEEE Trans. Audio Electroacoust. 15(2)',
    family: 'spectrum',
    publishedDisadvantage: 6,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: atLeastSeconds(1, 'bins of 1 Hz'),
  },
  plain(['logspectrum'], { standardise: true }),
  logistic(0.01),
);
