/**
 * LaBraM-base, an encoder of electrodes by their places (Jiang, Zhao & Lu, "Large Brain Model for Learning Generic
 * Representations with Tremendous EEG Data in BCI", ICLR 2024; MIT).
 */
export { labram } from './encoder.ts';
export { labramGraph } from './graph.ts';
export { prepare } from './prepare.ts';
export { heardOf, readingOf, unreadable, type Heard, type Reading } from './reading.ts';
export { windowsOf, type Windows } from './windows.ts';
