import type { Client } from '@temporalio/client';
import { searchAttributes } from '../../contract/search-attributes.ts';

export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

const keyword = 2;
/** gRPC codes: already there; not known to the time-skipping test server. */
const tolerated = { add: new Set([6, 12]), list: new Set([12]) };

const operatorOf = (client: Client): OperatorCalls =>
  (client.connection as unknown as { operatorService: OperatorCalls }).operatorService;

/** Search attributes that the namespace lacks; all of them if the server cannot say. */
export async function missingSearchAttributes(client: Client, namespace: string): Promise<string[]> {
  const known = await operatorOf(client).listSearchAttributes({ namespace }).catch(except(tolerated.list));
  return searchAttributeNames.filter((name) => !(name in (known?.customAttributes ?? {})));
}

/** Registers missing search attributes in the namespace. Idempotent, also when several processes do it at once. */
export async function registerSearchAttributes(client: Client, namespace: string): Promise<string[]> {
  const missing = await missingSearchAttributes(client, namespace);
  if (missing.length === 0) return [];
  await operatorOf(client)
    .addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])) })
    .catch(except(tolerated.add));
  return missing;
}

const except =
  (codes: ReadonlySet<number>) =>
  (error: { code?: number }): null => {
    if (!codes.has(error.code ?? -1)) throw error;
    return null;
  };

interface OperatorCalls {
  listSearchAttributes(request: { namespace: string }): Promise<{ customAttributes?: Record<string, unknown> | null }>;
  addSearchAttributes(request: { namespace: string; searchAttributes: Record<string, number> }): Promise<unknown>;
}
