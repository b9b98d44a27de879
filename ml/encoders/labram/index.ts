/**
 * LaBraM-base, an encoder of electrodes by their places (Jiang, Zhao & Lu, "Large Brain Model for Learning Generic
 * Representations with Tremendous EEG Data in BCI", ICLR 2024; MIT).
 */
export { labramGraph } from './graph.ts';
export { embed, embeddingWidth, type Embeddings } from './embed.ts';
export { prepare } from './prepare.ts';
export { readingOf, unreadable, type Reading } from './reading.ts';
export { windowsOf, type Windows } from './windows.ts';
