import type { z } from 'zod';
import { readinessSeconds } from '../../infra/observe/readiness.ts';
import { readServing } from '../../infra/records/admission/serving.ts';
import { permissions } from '../contract/operation.ts';
import { usage } from '../contract/responses.ts';
import { health, ready, serviceStatus, type pretrainedModel } from '../contract/service-responses.ts';
import { version } from '../contract/version.ts';
import { callerOf } from '../http/request.ts';
import { readUsage } from '../use-cases/usage.ts';
import type { Route } from './route.ts';

export const getHealth: Route = {
  operation: {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Liveness',
    description: 'Answers while the process serves.',
    scopes: null,
    answers: { 200: { schema: health, words: 'The process serves.' } },
    errors: [],
  },
  handle: () => async () => ({ status: 'ok' }),
};

export const getReadiness: Route = {
  operation: {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Readiness',
    description:
      'Whether this process takes requests now: the database, Temporal and the object store answer it, and its ' +
      `threads are warm. The process checks each in the background. A change shows within ${readinessSeconds} s. ` +
      'The status `starting` means that not all have answered yet. The status `unavailable` means that one of them ' +
      'fails, or that the process is about to end.',
    scopes: null,
    answers: {
      200: { schema: ready, words: 'The process takes requests.' },
      503: { schema: ready, words: 'It does not yet, or not now; `checks` says why.' },
    },
    errors: [],
  },
  handle:
    ({ readiness }) =>
    (_request, reply) => {
      const { status, body } = readiness.answer;
      return reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body);
    },
};

export const getStatus: Route = {
  operation: {
    id: 'getStatus',
    method: 'get',
    path: '/v1/status',
    tag: 'Service',
    summary: 'Service status',
    description:
      'Whether the service takes requests, or is paused for maintenance, and which pretrained models it tries in a ' +
      'create, with the reason where it does not.',
    scopes: null,
    answers: { 200: { schema: serviceStatus, words: 'The status.' } },
    errors: ['INTERNAL', 'BILLING_UNAVAILABLE'],
  },
  handle:
    ({ pool, models }) =>
    async () => {
      const { serving, message } = await readServing(pool);
      const pretrained = models().map(({ id, title, status, reason, card }): z.infer<typeof pretrainedModel> => ({
        id,
        title,
        status,
        reason,
        card,
      }));
      return { object: 'status', serving, message, version, pretrained_models: pretrained };
    },
};

export const getUsage: Route = {
  operation: {
    id: 'getUsage',
    method: 'get',
    path: '/v1/usage',
    tag: 'Account',
    summary: 'Usage and limits',
    scopes: permissions.usage,
    endpoint: 'usage.read',
    description:
      'What the account used today and this month (UTC), and its limits. Money and counters are decimal ' +
      'strings; null means nothing recorded. Test keys record no money.',
    answers: { 200: { schema: usage, words: 'The usage.' } },
    errors: [],
  },
  handle: (deps) => (request) => readUsage(deps, callerOf(request)),
};
