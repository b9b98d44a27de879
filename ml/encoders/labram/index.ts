/**
 * LaBraM-base, an encoder of electrodes by their places (Jiang, Zhao & Lu, "Large Brain Model for Learning Generic
 * Representations with Tremendous EEG Data in BCI", ICLR 2024; MIT).
 */
export { labram } from './encoder.ts';
export { labramGraph } from './graph.ts';
export { prepare } from './prepare.ts';
export { readingOf, unreadable } from './reading.ts';
export { windowsOf } from './windows.ts';
