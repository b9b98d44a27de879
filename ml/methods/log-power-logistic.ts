import { logistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds } from './reasons.ts';

/** Log band power of every channel, standardised, logistic regression. */
export const logPowerLogistic = pipeline(
  {
    id: 'log-power-logistic',
    version: '1',
    title: 'Log band power, logistic regression',
    source: 'Pfurtscheller & Lopes da Silva 1999, Clin. Neurophysiol. 110(11)',
    family: 'band power',
    publishedDisadvantage: 8,
    kinds: ['motor', 'sleep', 'other', 'erp'],
    unreadable: atLeastSeconds(0.5, 'two periods of 4 Hz'),
  },
  plain(['logpower'], { standardise: true }),
  logistic(1),
);
