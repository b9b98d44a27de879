export { usualFitSeconds } from './estimate.ts';
export { fitIsHeld, fitKeyOf, readFit, type StoredFit } from './fits.ts';
export { readPreparation, restSeconds, type StoredPreparation } from './preparations.ts';
export { peopleUsed } from './prepare.ts';
