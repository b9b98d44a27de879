/** A request about an account or key that cannot be granted; the message says why and is shown as it is. */
export class AccountError extends Error {
  /** The part of the request at fault, where it is one. */
  readonly field: string | null;

  constructor(message: string, { field = null, ...options }: ErrorOptions & { field?: string | null } = {}) {
    super(message, options);
    this.name = 'AccountError';
    this.field = field;
  }
}
