import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Moves messages and stacks of failures into the part that the payload codec encrypts, so that they are not stored in
 * plain text.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
