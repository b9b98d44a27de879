/** A request about an account or key that cannot be granted; the message says why and is shown as it is. */
export class AccountError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AccountError';
  }
}
