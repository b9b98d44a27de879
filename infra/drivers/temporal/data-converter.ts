import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec.ts';

/** Path of the failure converter; the bundle of the workflows contains it too. */
export const failureConverterPath = fileURLToPath(new URL('./failure-converter.ts', import.meta.url));

/** Data converter of all clients and workers of the service. `keys` as in `keyringOf`. */
export const dataConverterOf = (keys: readonly Uint8Array[]): DataConverter => ({
  failureConverterPath,
  payloadCodecs: [createPayloadCodec(keys)],
});
