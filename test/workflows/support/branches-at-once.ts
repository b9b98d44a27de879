import { candidates, created, fit, requestFor, scored, unhurried, type Branch } from './branch-steps.ts';

/** Creates that are fitted in one activity. */
export const branchesAtOnce: readonly Branch[] = [
  {
    name: 'create-at-once',
    what: 'an immediate create that is fitted in one activity',
    activities: (calls) => ({
      ...created(calls),
      scoreCandidate: async ({ candidate }) => scored(candidate.id, 'scored'),
    }),
    async drive(stage, id) {
      const outcome = await fit(stage, id);
      await unhurried();
      return outcome;
    },
    calls: ['extractFeatures', 'chooseAndRefit of scored, scored, scored', 'activateModel'],
    result: { result: 'activated', status: 201 },
  },
  {
    name: 'create-unanswered',
    what: 'a create whose answer could not be written in the activity that fitted it',
    activities: (calls) => ({
      ...created(calls),
      async fitAtOnce() {
        return {
          dataset: { ref: 'fits/features', trials: 20, classes: 2, sessions: 1 },
          scores: candidates.map(({ id }) => scored(id, 'scored')),
          winner: {
            method: candidates[0]!,
            pins: ['method:tangent@1'],
            balancedAccuracy: 0.8,
            chance: 0.5,
            modelRef: 'models/m',
            reportRef: 'fits/report',
          },
          outcome: null,
        };
      },
    }),
    async drive(stage, id) {
      const outcome = await fit(stage, id);
      await unhurried();
      return outcome;
    },
    calls: ['activateModel'],
    result: { result: 'activated', status: 201 },
  },
  {
    name: 'create-begins-model',
    what: 'a create that the API has fitted, and whose model begins with its answer',
    activities: (calls) => ({
      ...created(calls),
      scoreCandidate: async ({ candidate }) => scored(candidate.id, 'scored'),
    }),
    async drive({ client, taskQueue }, id) {
      const outcome = await client.workflow.execute('fitTaskModel', {
        workflowId: id,
        taskQueue,
        args: [requestFor(`${id}-model`)],
      });
      await unhurried();
      return outcome;
    },
    calls: ['extractFeatures', 'chooseAndRefit of scored, scored, scored', 'activateModel'],
    result: { result: 'activated', status: 201 },
  },
];
