import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec.ts';

/** File of the failure converter: the bundle of the workflows holds it too. */
export const failureConverterPath = fileURLToPath(new URL('./failure-converter.ts', import.meta.url));

/** How clients and workers of the service write what Temporal stores. `keys` as in `keyringOf`. */
export const dataConverterOf = (keys: readonly Uint8Array[]): DataConverter => ({
  failureConverterPath,
  payloadCodecs: [createPayloadCodec(keys)],
});
