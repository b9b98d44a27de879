const prefix = 'eeg-create:';

/** SHA-256 of a text, in hexadecimal. */
export async function fingerprint(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The Idempotency-Key of a create. It is kept until the tab closes or the answer is known. */
export interface PayOnce {
  readonly key: string;
  /** The answer is known: sending the same create again is a new create. */
  done(): void;
}

/**
 * The Idempotency-Key of one create. The same trials and settings in the same tab get the same key, also after a
 * reload, so they are paid once.
 */
export async function payOnce(body: string): Promise<PayOnce> {
  const place = prefix + (await fingerprint(body));
  const key = sessionStorage.getItem(place) ?? crypto.randomUUID();
  sessionStorage.setItem(place, key);
  return { key, done: () => sessionStorage.removeItem(place) };
}

/** True if this tab began a create and never received the answer. */
export const beganBefore = (): boolean => Object.keys(sessionStorage).some((key) => key.startsWith(prefix));
