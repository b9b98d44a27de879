import { DefaultFailureConverter } from '@temporalio/common';

/** Messages and stacks of failures go where the payload codec encrypts them, instead of standing in the clear. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
