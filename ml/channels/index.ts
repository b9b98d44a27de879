/**
 * Electrodes: names, positions, the fixed 19 sites. Template: 10-05, colin27 (`template.json`, pinned by its hash in a
 * test).
 */
export { canonicalName, electrodeNames, fiducials, positionOf, type Position } from './template.ts';
export { distance, headPositionOf, mniToHead, toHead } from './frames.ts';
export { eyeSites } from './eye-sites.ts';
export { resolveChannels, type ResolvedChannels } from './resolve.ts';
export { capBanks } from './not-electrodes.ts';
export { fillSites19, sites19 } from './sites19.ts';
