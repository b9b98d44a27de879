import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CataloguedModel } from '../../ml/encoders/catalogue/index.ts';

const folder = fileURLToPath(new URL('../../ml/encoders', import.meta.url));

/** Whether the weights of a model come with the code. */
export const isShipped = ({ file }: Pick<CataloguedModel, 'file'>): boolean => file.address === null;

/** Path of weights that come with the code. */
export const shippedPath = ({ file }: Pick<CataloguedModel, 'file'>): string => join(folder, file.folder, file.path);
