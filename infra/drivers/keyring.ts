import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  type Cipheriv,
  type Decipheriv,
} from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** A data encryption key. Its id reveals nothing about the key. */
export interface DataKey {
  /** 8 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys of a service: the first encrypts, all can decrypt. */
export interface Keyring {
  readonly current: DataKey;
  readonly all: readonly DataKey[];
  find(id: string): DataKey | null;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Builds a keyring from keys of 32 bytes, the newest first. Throws if there is no key or one has another length. */
export function keyringOf(keys: readonly Uint8Array[]): Keyring {
  if (keys.length === 0) throw new Error('There is no data encryption key.');
  const wrong = keys.find(({ length }) => length !== keyBytes);
  if (wrong) throw new Error(`A data encryption key has ${wrong.length} bytes; it must have ${keyBytes}.`);
  const all = keys.map((bytes) => ({ id: idOf(bytes), bytes }));
  return { current: all[0], all, find: (id) => all.find((each) => each.id === id) ?? null };
}

const idOf = (key: Uint8Array): string =>
  createHash('sha256').update('data key id\0').update(key).digest('hex').slice(0, 8);

/**
 * Derives the key for one purpose (RFC 5869), so that data encrypted for another purpose cannot be decrypted with it.
 */
export const keyFor = ({ bytes }: Pick<DataKey, 'bytes'>, purpose: string): DataKey['bytes'] =>
  new Uint8Array(hkdfSync('sha256', bytes, new Uint8Array(0), purpose, keyBytes));

/** Bytes encrypted in one step, about a millisecond; between steps the process can do other work. */
const blockBytes = 1024 * 1024;

/**
 * AES-256-GCM: `head`, nonce (12), ciphertext, tag (16); authenticates `context` too. Yields to the event loop between
 * blocks, so that a large object does not delay other requests: `bytes` must not change meanwhile.
 */
export async function encrypt(
  key: Uint8Array,
  context: Uint8Array,
  bytes: Uint8Array,
  head = Buffer.alloc(0),
): Promise<Uint8Array<ArrayBuffer>> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const sealed = new Uint8Array(head.length + nonceBytes + bytes.length + tagBytes);
  sealed.set(head);
  sealed.set(nonce, head.length);
  await inBlocks(cipher, bytes, sealed.subarray(head.length + nonceBytes));
  cipher.final();
  sealed.set(cipher.getAuthTag(), sealed.length - tagBytes);
  return sealed;
}

/**
 * Decrypts the bytes after the head. Throws if the key, the context or a byte differs. The result shares no memory with
 * `sealed`.
 */
export async function decrypt(key: Uint8Array, context: Uint8Array, sealed: Uint8Array): Promise<Uint8Array> {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('The ciphertext is too short.');
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(sealed.subarray(end));
  const plain = new Uint8Array(end - nonceBytes);
  await inBlocks(decipher, sealed.subarray(nonceBytes, end), plain);
  // The cipher has returned all bytes: GCM buffers no block.
  decipher.final();
  return plain;
}

/** Runs `from` through a cipher into `to`, block by block. */
async function inBlocks(cipher: Cipheriv | Decipheriv, from: Uint8Array, to: Uint8Array): Promise<void> {
  for (let at = 0; at < from.length; at += blockBytes) {
    if (at > 0) await setImmediate();
    to.set(cipher.update(from.subarray(at, at + blockBytes)), at);
  }
}
