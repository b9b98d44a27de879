import { decrypt, encrypt, type DataKey, type Keyring } from '../keyring.ts';

const magicOf = (version: number): Buffer => Buffer.from(`EEGO${String.fromCharCode(version)}`, 'latin1');
const magic = magicOf(2);
/** Version 1 named no key. */
const unnamed = magicOf(1);
const idBytes = 4;

/**
 * Encrypts with AES-256-GCM under the keyring's first key. Layout: magic and version (5), key id (4), nonce (12),
 * ciphertext, tag (16); head and `name` are authenticated with it.
 */
export function seal({ current }: Keyring, name: string, bytes: Uint8Array): Uint8Array {
  const head = Buffer.concat([magic, Buffer.from(current.id, 'hex')]);
  return encrypt(current.bytes, Buffer.concat([head, Buffer.from(name)]), bytes, head);
}

/** What was sealed does not open: it was changed since, or stands under another name. */
export class Unopened extends Error {}

/** Reverses `seal`; throws `Unopened` when the name or a byte differs, and an error when the keyring lacks the key. */
export function open(keys: Keyring, name: string, sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const version = bytes.subarray(0, magic.length);
  if (version.equals(unnamed)) return openUnnamed(keys, name, bytes);
  if (!version.equals(magic)) throw new Unopened(`The object ${name} is not one that this store wrote.`);
  const head = bytes.subarray(0, magic.length + idBytes);
  const id = sealedBy(sealed)!;
  const key = keys.find(id);
  if (!key)
    throw new Error(
      `The object ${name} was written with another DATA_ENCRYPTION_KEY: key ${id}, where this process holds ` +
        `${keys.all.map((each) => each.id).join(', ')}.`,
    );
  return opened(key, name, Buffer.concat([head, Buffer.from(name)]), bytes.subarray(head.length));
}

/** Id of the key that sealed an object; null where it was sealed before keys had one. */
export function sealedBy(sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  return bytes.subarray(0, magic.length).equals(magic)
    ? bytes.subarray(magic.length, magic.length + idBytes).toString('hex')
    : null;
}

function openUnnamed({ all }: Keyring, name: string, bytes: Buffer): Uint8Array {
  const body = bytes.subarray(unnamed.length);
  for (const key of all.slice(0, -1)) {
    try {
      return decrypt(key.bytes, Buffer.from(name), body);
    } catch {
      continue;
    }
  }
  return opened(all.at(-1)!, name, Buffer.from(name), body);
}

function opened(key: DataKey, name: string, context: Buffer, body: Buffer): Uint8Array {
  try {
    return decrypt(key.bytes, context, body);
  } catch (cause) {
    throw new Unopened(
      `The object ${name} cannot be opened: it was written with another DATA_ENCRYPTION_KEY, or it was changed.`,
      { cause },
    );
  }
}
