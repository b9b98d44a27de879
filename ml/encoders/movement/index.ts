/**
 * A network that learned movement and its imagery from other people. It reads the second moments of a trial
 * (`ml/features/movement-set.ts`); `ml/methods/movement` has its methods.
 */
export { movementCard, movementId } from './card.ts';
export type { MovementCard, MovementHead, MovementScore } from './card.ts';
export { mirroredSite, montageSites, usedSites } from './sites.ts';
export type { UsedSites } from './sites.ts';
export { movementNetworks, movementPeople, provideMovementWeights } from './movement-networks.ts';
export type { ReadWeights } from './movement-networks.ts';
export { headOfTask, networkTaskOf } from './network-task.ts';
export { networksWithout } from './networks-without.ts';
export type { Network, Networks } from './networks.ts';
export type { MovementPeople } from './people.ts';
