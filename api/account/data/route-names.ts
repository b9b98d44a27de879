import { operations } from '../../routes/index.ts';

/** Names that a use case counts a request under instead of its route's, by the name of the route. */
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

/** Method and path behind the name that a request was counted under; a name of an older version is shown as it is. */
export const routeName = (endpoint: string): string => names.get(endpoint) ?? endpoint;
