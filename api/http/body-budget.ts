import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';

/** Bytes of bodies that one process holds at once, those that are still arriving and those that wait for a thread. */
const usualTotal = 16 * limits.bodyBytes;

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** What one request holds of the budget. */
export interface Hold {
  /** Holds this many bytes from now on; throws POOL_SATURATED where they are not to be had. */
  resize(bytes: number): void;
}

/**
 * Shares the memory for bodies out between accounts. An account may hold as much as it leaves to the others: alone at
 * most half, so that whoever comes next finds room, and the less the more accounts send.
 */
export class BodyBudget {
  readonly #total: number;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(total: number = usualTotal) {
    this.#total = total;
  }

  /** Nothing yet, for a request of the account. */
  hold(account: string): Hold {
    let mine = 0;
    return {
      resize: (bytes) => {
        const more = bytes - mine;
        if (more > 0) this.#requireRoom(account, more);
        const own = (this.#heldBy.get(account) ?? 0) + more;
        if (own > 0) this.#heldBy.set(account, own);
        else this.#heldBy.delete(account);
        this.#held += more;
        mine = bytes;
      },
    };
  }

  #requireRoom(account: string, more: number): void {
    const own = this.#heldBy.get(account) ?? 0;
    const left = this.#total - this.#held - more;
    if (left >= 0 && (own === 0 || own + more <= left)) return;
    throw new ApiError(
      'POOL_SATURATED',
      `This process holds ${mebibytes(this.#held)} of request bodies, ${mebibytes(own)} of them the account's; of ` +
        `its ${mebibytes(this.#total)} an account may hold as much as it leaves to others.`,
      { retryAfterSeconds: 2 },
    );
  }
}
