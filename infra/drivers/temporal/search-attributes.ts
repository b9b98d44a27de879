import type { Client } from '@temporalio/client';
import { searchAttributes } from '../../contract/search-attributes.ts';

export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

const keyword = 2;
/** gRPC codes: already there; not known to the time-skipping test server. */
const tolerated = { add: new Set([6, 12]), list: new Set([12]) };

/** Registers missing search attributes in the namespace. Idempotent, also when several processes do it at once. */
export async function registerSearchAttributes(client: Client, namespace: string): Promise<string[]> {
  const { operatorService } = client.connection as unknown as { operatorService: OperatorCalls };
  const known = await operatorService.listSearchAttributes({ namespace }).catch(except(tolerated.list));
  const missing = searchAttributeNames.filter((name) => !(name in (known?.customAttributes ?? {})));
  if (missing.length === 0) return [];
  await operatorService
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
