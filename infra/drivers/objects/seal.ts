import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const magic = Buffer.from('EEGO\x01', 'latin1');
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = magic.length + nonceBytes;

/**
 * Encrypts with AES-256-GCM. Layout: magic and version (5), nonce (12), ciphertext, tag (16); `name` is authenticated
 * with it.
 */
export function seal(key: Uint8Array, name: string, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([magic, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Reverses `seal`; throws when the key, the name or a byte differs. */
export function open(key: Uint8Array, name: string, sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < headBytes + tagBytes || !bytes.subarray(0, magic.length).equals(magic)) {
    throw new Error(`The object ${name} is not one that this store wrote.`);
  }
  const end = bytes.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(magic.length, headBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(end));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(headBytes, end)), decipher.final()]);
    return new Uint8Array(plain.buffer, plain.byteOffset, plain.byteLength);
  } catch (cause) {
    throw new Error(
      `The object ${name} cannot be opened: it was written with another DATA_ENCRYPTION_KEY, or it was changed.`,
      { cause },
    );
  }
}
