/** A request about an account or key that is refused; callers see the message unchanged. */
export class AccountError extends Error {
  /** The invalid part of the request, if one is. */
  readonly field: string | null;

  constructor(message: string, { field = null, ...options }: ErrorOptions & { field?: string | null } = {}) {
    super(message, options);
    this.name = 'AccountError';
    this.field = field;
  }
}
