import { movementId } from '../../ml/encoders/movement/index.ts';
import type { ReadWeights } from '../../ml/encoders/movement/index.ts';
import { besides, modelOf } from '../../ml/encoders/catalogue/index.ts';
import { ApiError } from '../contract/errors.ts';
import { FileFault } from '../downloads/fault.ts';
import { readWeightsFile } from '../weights/read-weights-file.ts';
import { shippedPath } from '../weights/shipped-path.ts';

const model = modelOf(movementId);
const files = [model, ...besides(model)];

/**
 * Reads the weights of the movement network or the sketches of its training people, which come with the code, and
 * checks their SHA-256. Throws BACKEND_FAILURE if the file is missing or has changed.
 */
export const shippedWeights: ReadWeights = (sha256) => {
  try {
    return readWeightsFile(shippedPath(files.find(({ file }) => file.sha256 === sha256) ?? model), sha256);
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    throw new ApiError('BACKEND_FAILURE', `The movement network cannot be used. ${cause.message}`, { cause });
  }
};
