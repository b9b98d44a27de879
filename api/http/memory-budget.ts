import { ApiError } from '../../infra/contract/errors.ts';

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** The memory that one request has reserved. */
export interface Reservation {
  /** Changes the reservation to this many bytes. Throws POOL_SATURATED if there is not enough. */
  resize(bytes: number): void;
  /** The same for bytes that already exist: they are counted even if there is not enough. */
  keep(bytes: number): void;
}

/**
 * Divides the memory for bodies, or for answers, between accounts. An account may reserve as much as it leaves to the
 * others: at most half if it is alone, so that the next account finds room, and less if more accounts send.
 */
export class MemoryBudget {
  readonly #total: number;
  readonly #reservedBy = new Map<string, number>();
  #reserved = 0;

  readonly #what: string;

  /** `total` bytes of `what`. Messages name `what`. */
  constructor(total: number, what: string) {
    this.#total = total;
    this.#what = what;
  }

  /** An empty reservation for a request of the account. */
  reserve(account: string): Reservation {
    let mine = 0;
    const keep = (bytes: number): void => {
      const own = (this.#reservedBy.get(account) ?? 0) + bytes - mine;
      if (own > 0) this.#reservedBy.set(account, own);
      else this.#reservedBy.delete(account);
      this.#reserved += bytes - mine;
      mine = bytes;
    };
    return {
      keep,
      resize: (bytes) => {
        if (bytes > mine) this.#requireRoom(account, bytes - mine);
        keep(bytes);
      },
    };
  }

  #requireRoom(account: string, more: number): void {
    const own = this.#reservedBy.get(account) ?? 0;
    const remaining = this.#total - this.#reserved - more;
    if (remaining >= 0 && (own === 0 || own + more <= remaining)) return;
    throw new ApiError(
      'POOL_SATURATED',
      `This process holds ${mebibytes(this.#reserved)} of ${this.#what}, ${mebibytes(own)} of them the account's; of ` +
        `its ${mebibytes(this.#total)} an account may hold as much as it leaves to others.`,
      { retryAfterSeconds: 2 },
    );
  }
}
