import type { Payload, PayloadCodec } from '@temporalio/common';
import { decode, encode } from '../codec.ts';
import { decrypt, encrypt, keyFor, keyringOf, type DataKey } from '../keyring.ts';

/** Metadata with the encoding and the key of a payload; the names are Temporal's own. */
const encoding = 'encoding';
const encrypted = 'binary/encrypted';
const keyId = 'encryption-key-id';

const context = Buffer.from('temporal payload');
const text = (bytes: Uint8Array | undefined | null): string => Buffer.from(bytes ?? []).toString();

/** Stored form of a payload. */
interface Stored {
  readonly metadata: Readonly<Record<string, Uint8Array>>;
  readonly data: Uint8Array;
}

/**
 * Encrypts everything that Temporal stores about a workflow (arguments, results, summaries, details, failure messages),
 * so that its database and web interface contain no caller's data in plain text. Unencrypted payloads, such as signals
 * from the Temporal CLI, are read as they are. `keys` as in `keyringOf`.
 */
export function createPayloadCodec(keys: readonly Uint8Array[]): PayloadCodec {
  const ring = keyringOf(keys);
  const purpose = new Map(ring.all.map((key) => [key.id, keyFor(key, 'temporal payloads')]));
  const seal = async ({ metadata, data }: Payload, { id }: DataKey): Promise<Payload> => ({
    metadata: { [encoding]: Buffer.from(encrypted), [keyId]: Buffer.from(id) },
    data: await encrypt(
      purpose.get(id)!,
      context,
      encode({ metadata: metadata ?? {}, data: data ?? new Uint8Array(0) }),
    ),
  });
  const open = async (payload: Payload): Promise<Payload> => {
    if (text(payload.metadata?.[encoding]) !== encrypted) return payload;
    const id = text(payload.metadata?.[keyId]);
    const key = purpose.get(id);
    if (!key)
      throw new Error(
        `A payload of Temporal was encrypted with key ${id}, where this process holds ` +
          `${[...purpose.keys()].join(', ')}: see that DATA_ENCRYPTION_KEY is the same everywhere.`,
      );
    const { metadata, data } = decode<Stored>(await decrypt(key, context, payload.data ?? new Uint8Array(0)));
    return { metadata, data };
  };
  return {
    encode: (payloads) => Promise.all(payloads.map((payload) => seal(payload, ring.current))),
    decode: (payloads) => Promise.all(payloads.map(open)),
  };
}
