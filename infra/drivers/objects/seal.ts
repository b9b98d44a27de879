import { decrypt, encrypt, type Keyring } from '../keyring.ts';

const magic = Buffer.from('EEGO\x02', 'latin1');
const idBytes = 4;

/**
 * Encrypts with AES-256-GCM under the keyring's first key. Layout: magic and version (5), key id (4), nonce (12),
 * ciphertext, tag (16); head and `name` are authenticated with it.
 */
export async function seal({ current }: Keyring, name: string, bytes: Uint8Array): Promise<Uint8Array> {
  const head = Buffer.concat([magic, Buffer.from(current.id, 'hex')]);
  return encrypt(current.bytes, Buffer.concat([head, Buffer.from(name)]), bytes, head);
}

/** The object cannot be decrypted: it was changed, or it has another name. */
export class Unopened extends Error {}

/**
 * Reverses `seal`. Rejects with `Unopened` if the name or a byte differs, and with an error if the keyring lacks the
 * key.
 */
export async function open(keys: Keyring, name: string, sealed: Uint8Array): Promise<Uint8Array> {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const id = sealedBy(sealed);
  if (id === null) throw new Unopened(`The object ${name} is not one that this store wrote.`);
  const key = keys.find(id);
  if (!key)
    throw new Error(
      `The object ${name} was written with another DATA_ENCRYPTION_KEY: key ${id}, where this process holds ` +
        `${keys.all.map((each) => each.id).join(', ')}.`,
    );
  const head = bytes.subarray(0, magic.length + idBytes);
  try {
    return await decrypt(key.bytes, Buffer.concat([head, Buffer.from(name)]), bytes.subarray(head.length));
  } catch (cause) {
    throw new Unopened(
      `The object ${name} cannot be opened: it was written with another DATA_ENCRYPTION_KEY, or it was changed.`,
      { cause },
    );
  }
}

/** Id of the key that sealed an object; null if these are not the bytes of a sealed object. */
export function sealedBy(sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  return bytes.subarray(0, magic.length).equals(magic)
    ? bytes.subarray(magic.length, magic.length + idBytes).toString('hex')
    : null;
}
