import { invalidField } from '../../infra/contract/invalid-request.ts';
import { briefList } from '../../infra/contract/quote.ts';

/**
 * Throws INVALID_REQUEST unless both contain the same names, in any order. The message lists missing and extra names.
 */
export function requireSameChannels(fitted: readonly string[], sent: readonly string[]): void {
  const missing = fitted.filter((name) => !sent.includes(name));
  const extra = sent.filter((name) => !fitted.includes(name));
  if (missing.length === 0 && extra.length === 0) return;
  const part = (title: string, names: readonly string[]) =>
    names.length ? ` ${title} (${names.length}): ${briefList(names, 40)}.` : '';
  throw invalidField(
    'channels',
    `The task model uses ${fitted.length} channels and ${sent.length} were sent; ` +
      `the names must be the same, in any order.${part('Missing', missing)}${part('Not part of the model', extra)}`,
  );
}
