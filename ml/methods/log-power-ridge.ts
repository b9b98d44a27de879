import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds } from './reasons.ts';

/** Log band power of every channel, standardised, ridge with its penalty by leave-one-out. */
export const logPowerRidge = pipeline(
  {
    id: 'log-power-ridge',
    version: '1',
    title: 'Log band power, ridge discriminant',
    source: 'Pfurtscheller & Lopes da Silva 1999, Clin. Neurophysiol. 110(11); Golub et al. 1979, Technometrics 21(2)',
    family: 'band power',
    publishedDisadvantage: 8,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: atLeastSeconds(0.5, 'two periods of 4 Hz'),
  },
  plain(['logpower'], { standardise: true }),
  ridge,
);
