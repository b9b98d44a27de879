import { movementId } from '../../encoders/movement/index.ts';

/** The movement network in a report, with the path of its model card in this service. */
export const networkReference = { id: movementId, card: '/docs/movement-network' } as const;
