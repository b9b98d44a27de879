import { checkNames, type Readiness } from '../../infra/observe/readiness.ts';

/** A process that looks at nothing and is ready. */
export const alwaysReady: Pick<Readiness, 'answer' | 'draining'> = {
  answer: {
    status: 200,
    body: JSON.stringify({
      status: 'ready',
      checks: Object.fromEntries(checkNames.map((name) => [name, { status: 'ok' }])),
    }),
  },
  draining: false,
};
