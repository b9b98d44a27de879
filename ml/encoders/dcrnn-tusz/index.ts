/**
 * DCRNN, the encoder of a graph-recurrent network pretrained on clinical EEG: features of each site of a window from
 * its neighbours on the head. Any sites; only the 19 of the 10-20 system were trained on.
 *
 * S. Tang et al., ICLR 2022, https://openreview.net/forum?id=k9bx1EfHI_-
 */
export { dcrnnGraphs, stepCounts } from './graphs.ts';
export { logSpectrum } from './log-spectrum.ts';
export { onUnitSphere, support } from './support.ts';
export { dcrnn } from './encoder.ts';
