import { checkNames, type Readiness } from '../../infra/observe/readiness.ts';

/** Readiness without checks: always ready. */
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
