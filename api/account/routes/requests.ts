import { errorTable } from '../../../infra/contract/errors.ts';
import { formatUsd } from '../../../infra/contract/prices.ts';
import { loggedRequests, type LoggedRequest } from '../../../infra/records/admission/request-log.ts';
import type { RequestLog } from '../contract/responses.ts';
import { oneOf, wholeOf } from '../data/query.ts';
import { accountRoute } from '../route.ts';
import { operations } from '../../routes/routes.ts';

/** A row of the answer and of the export. */
export const requestRow = (row: LoggedRequest): RequestLog['data'][number] => ({
  request_id: row.requestId,
  at: row.at.toISOString(),
  endpoint: row.endpoint,
  route: routeName(row.endpoint),
  status: row.status,
  code: row.code,
  key_id: row.keyId,
  key_name: row.keyName,
  mode: row.mode,
  windows: Number(row.windows),
  usd: formatUsd(row.microUsd),
});

/** Values of `code`: an error code, `ok`, or `refused` for every error. */
const codes = ['ok', 'refused', ...Object.keys(errorTable)];

export const requestRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/requests',
    async handle({ pool }, { accountId }, { query }): Promise<RequestLog> {
      const limit = wholeOf(query, 'limit', { min: 1, max: 200, usual: 50 });
      const code = oneOf(query, 'code', codes);
      const filter = code === 'refused' ? { refusedOnly: true } : { code };
      const page = await loggedRequests(pool, accountId, { limit, before: query['before'] ?? null, filter });
      return { data: page.requests.map(requestRow), next_before: page.nextBefore };
    },
  }),
];

/** Further names under which use cases count requests of a route, by the name of the route. */
const countedAs: Readonly<Record<string, readonly string[]>> = {
  'task_models.create': ['task_models.estimate', 'task_models.estimate_again'],
};

const names = new Map(
  operations.flatMap(({ endpoint, method, path }) =>
    endpoint === undefined
      ? []
      : [endpoint, ...(countedAs[endpoint] ?? [])].map((name) => [name, `${method.toUpperCase()} ${path}`] as const),
  ),
);

/** Method and path of the route that a request was counted under. A name of an older version is returned unchanged. */
export const routeName = (endpoint: string): string => names.get(endpoint) ?? endpoint;
