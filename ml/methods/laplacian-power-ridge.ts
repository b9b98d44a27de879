import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastChannels, atLeastSeconds, firstOf } from './reasons.ts';
import { apart, everyPosition } from './site-reasons.ts';

/** Log band power of the surface Laplacian, from the positions of the electrodes, ridge with its penalty by leave-one-out. */
export const laplacianPowerRidge = pipeline(
  {
    id: 'laplacian-power-ridge',
    version: '1',
    title: 'Log band power of the surface Laplacian, ridge discriminant',
    source: 'Perrin et al. 1989, Electroencephalogr. Clin. Neurophysiol. 72(2); McFarland et al. 1997, ibid. 103(3)',
    family: 'surface Laplacian',
    publishedDisadvantage: 8,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      everyPosition,
      atLeastChannels(8, 'a gradient over the scalp'),
      apart,
      atLeastSeconds(0.5, 'two periods of 4 Hz'),
    ),
  },
  plain(['laplacian/logpower'], { standardise: true }),
  ridge,
);
