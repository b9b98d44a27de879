/** Signals: filters, resampling, spectra. Rows are independent signals of equal length, row-major. */
export { bandpassSos } from './butterworth.ts';
export type { Sos } from './butterworth.ts';
export { filterAt, groupsAt, padLengthOf, sosfiltfilt } from './sosfiltfilt.ts';
export { resample, resampledLength } from './resample.ts';
export { currentResampler, resamplerAt, resamplers } from './resamplers.ts';
export { rationalOf } from './rational.ts';
export { detrend } from './detrend.ts';
export { flatTrials } from './flat-trials.ts';
export { lagOf, meanSquareStep, stepsOf } from './steps.ts';
export { fingerprintsOf } from './fingerprints.ts';
export { createFft } from './fft.ts';
export { welch, windows } from './spectrum.ts';
export type { Spectrum } from './spectrum.ts';
export { suitsKernels, welchAt, welchOf } from './segment-power.ts';
export { bandPower } from './band-power.ts';
