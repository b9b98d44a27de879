const prefix = 'eeg-create:';

/** A name of a body that no other body has. */
async function fingerprint(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The Idempotency-Key of a create, kept for as long as the tab lives or until its answer is known. */
export interface PayOnce {
  readonly key: string;
  /** The answer is known: the same create sent again is another one. */
  done(): void;
}

/**
 * The key of one create: the same trials and settings in the same tab get the same key, also after a reload, so that
 * they are paid once.
 */
export async function payOnce(body: string): Promise<PayOnce> {
  const place = prefix + (await fingerprint(body));
  const key = sessionStorage.getItem(place) ?? crypto.randomUUID();
  sessionStorage.setItem(place, key);
  return { key, done: () => sessionStorage.removeItem(place) };
}

/** Whether a create was begun in this tab whose answer never came. */
export const beganBefore = (): boolean => Object.keys(sessionStorage).some((key) => key.startsWith(prefix));
