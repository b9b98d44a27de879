/** A request about an account or key that is refused; callers see the message unchanged. */
export class AccountError extends Error {
  /** The invalid part of the request; `request`: none of its fields. */
  readonly field: string;

  constructor(message: string, { field = 'request', ...options }: ErrorOptions & { field?: string } = {}) {
    super(message, options);
    this.name = 'AccountError';
    this.field = field;
  }
}
