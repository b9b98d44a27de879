import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** A data encryption key; its id says nothing of it. */
export interface DataKey {
  /** 8 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys of a service: the first seals, every one opens what it sealed. */
export interface Keyring {
  readonly current: DataKey;
  readonly all: readonly DataKey[];
  find(id: string): DataKey | null;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Of keys of 32 bytes, the newest first; throws where there is none, or one has another length. */
export function keyringOf(keys: readonly Uint8Array[]): Keyring {
  if (keys.length === 0) throw new Error('There is no data encryption key.');
  const wrong = keys.find(({ length }) => length !== keyBytes);
  if (wrong) throw new Error(`A data encryption key has ${wrong.length} bytes; it must have ${keyBytes}.`);
  const all = keys.map((bytes) => ({ id: idOf(bytes), bytes }));
  return { current: all[0], all, find: (id) => all.find((each) => each.id === id) ?? null };
}

const idOf = (key: Uint8Array): string =>
  createHash('sha256').update('data key id\0').update(key).digest('hex').slice(0, 8);

/** The key for one purpose (RFC 5869), so that nothing sealed for another opens with it. */
export const keyFor = ({ bytes }: DataKey, purpose: string): DataKey['bytes'] =>
  new Uint8Array(hkdfSync('sha256', bytes, new Uint8Array(0), purpose, keyBytes));

/** AES-256-GCM: `head`, nonce (12), ciphertext, tag (16); `context` is authenticated with it. */
export function encrypt(key: Uint8Array, context: Uint8Array, bytes: Uint8Array, head = Buffer.alloc(0)): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  return Buffer.concat([head, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Reverses `encrypt`, of what follows its head; throws when the key, the context or a byte differs. The result shares
 * no memory with `sealed`.
 */
export function decrypt(key: Uint8Array, context: Uint8Array, sealed: Uint8Array): Uint8Array {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('The ciphertext is too short.');
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(nonceBytes, end));
  // It has given out all of it: GCM keeps no block back.
  decipher.final();
  return new Uint8Array(plain.buffer, plain.byteOffset, plain.byteLength);
}
