import type { TaskModelAnswer } from '../response-types.ts';

/**
 * Begins a create, and gives the id of its model as soon as the service has accepted the fit. The page of the model can
 * then show the scores as they arrive. Throws what the create throws before.
 */
export const idOfCreate = (create: (onModel: (id: string) => void) => Promise<TaskModelAnswer>): Promise<string> =>
  new Promise((resolve, reject) => {
    create(resolve).then(({ id }) => resolve(id), reject);
  });
