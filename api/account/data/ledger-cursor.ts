import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { decrypt, encrypt, keyFor } from '../../../infra/drivers/keyring.ts';
import type { LedgerPlace } from '../../../infra/records/ledger/lines.ts';

interface LedgerCursor {
  write(place: LedgerPlace): Promise<string>;
  /** Throws INVALID_REQUEST if the text was not written for this account. */
  read(text: string): Promise<LedgerPlace>;
}

/**
 * Places in the ledger of an account, as text for its browser. The text is encrypted, because ids of the ledger count
 * the transactions of all accounts.
 */
export function ledgerCursor(sessionSecret: string, accountId: string): LedgerCursor {
  const key = keyFor({ bytes: Buffer.from(sessionSecret) }, 'pages of the ledger');
  const context = Buffer.from(accountId);
  return {
    async write({ id, balance }) {
      const place = Buffer.from(BigInt64Array.of(id, balance).buffer);
      return Buffer.from(await encrypt(key, context, place)).toString('base64url');
    },
    async read(text) {
      const place = await decrypt(key, context, Buffer.from(text, 'base64url')).catch(() => {
        throw invalidField('before', '`before` is not the `next_before` of a previous page.');
      });
      const [id, balance] = new BigInt64Array(place.buffer);
      return { id, balance };
    },
  };
}
