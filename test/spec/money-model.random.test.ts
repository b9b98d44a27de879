import { assert as always, asyncModelRun, asyncProperty, commands, constantFrom } from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runs } from '../support/counts.ts';
import type { Action } from '../support/money-model/actions.ts';
import { newBeliefs, step, stepsOf, type Beliefs } from '../support/money-model/commands.ts';
import { createMoneyService, startOfTime, type MoneyService } from '../support/money-model/service.ts';

/** Services side by side, each with a database and a clock of its own: one waits for Postgres while another works. */
const lanes = 4;
/** The same paths each time; TEST_SEED asks for others. */
const seed = Number(process.env['TEST_SEED'] ?? runs(20_261_121, 57_060_465));
let services: MoneyService[];
beforeAll(async () => {
  services = await Promise.all(Array.from({ length: lanes }, createMoneyService));
});
afterAll(async () => {
  await Promise.all(services.map((each) => each.close()));
  vi.unstubAllGlobals();
});

/** An account that begins anew and goes a path, and what the rules say of it. */
async function after(service: MoneyService, path: readonly Action[]): Promise<Beliefs> {
  await service.reset();
  const beliefs = newBeliefs(startOfTime);
  for (const each of stepsOf(path)) await each.run(beliefs, service);
  return beliefs;
}

/** Hours later every hold has ended, and with what is due by then the books are in order. */
async function close(beliefs: Beliefs, service: MoneyService): Promise<void> {
  const { states } = beliefs;
  const goesOn = (model: number): boolean =>
    states.some(({ models }) => !['none', 'expired', 'deleted'].includes(models[model]!.status));
  const models = [...states[0]!.models.keys()].filter(goesOn);
  const end: Action[] = [
    ...(states.some(({ suspended }) => suspended) ? [{ do: 'resume' } as const] : []),
    { do: 'wait', hours: 7 },
    { do: 'sweep', fault: null },
    ...models.map((model): Action => ({ do: 'settle', model, fault: null })),
  ];
  for (const each of stepsOf(end)) await each.run(beliefs, service);
  expect((await service.look()).observed.reserved).toBe(0n);
  expect(await service.checkBooks()).toEqual([]);
}

const request = { keyed: false, fault: null } as const;
const credit = { do: 'credit', usd: 5 } as const;
const hosted = (model: number): Action[] => [
  { do: 'create', days: null, ...request },
  { do: 'work', model, how: 'fits', fault: null },
];
const collecting: Action = { do: 'defer', days: null, windows: 7, ...request };

/** How accounts stand at first. */
const beginnings: readonly (readonly Action[])[] = [
  [],
  hosted(0),
  [collecting],
  [...hosted(0), credit, ...hosted(1)],
  [...hosted(0), collecting],
];

/** Random paths of one service. */
const walk = (service: MoneyService, lane: number): Promise<void> =>
  always(
    asyncProperty(
      constantFrom(...beginnings),
      commands([step], { maxCommands: runs(20, 30), size: 'max' }),
      async (path, steps) => {
        const model = await after(service, path);
        await asyncModelRun(async () => ({ model, real: service }), steps);
        await close(model, service);
      },
    ),
    { numRuns: Math.ceil(runs(200, 2_000) / lanes), seed: seed + lane },
  );

test(
  'in any order of requests, jobs, time and deaths of processes the books follow the rules of the contract',
  { timeout: runs(180_000, 1_200_000) },
  async () => {
    const ends = await Promise.allSettled(services.map(walk));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  },
);

/** Paths that failed once. */
const examples: readonly { readonly what: string; readonly path: readonly Action[] }[] = [
  {
    what: 'a fit of a deleted model that fails for reasons of ours is deleted all the same',
    path: [
      { do: 'defer', days: null, windows: 1, keyed: true, fault: null },
      { do: 'fit', model: 0, keyed: true, fault: null },
      { do: 'delete', model: 0, fault: null },
      { do: 'work', model: 0, how: 'faults', fault: null },
    ],
  },
  {
    what: 'answers of a create and a batch go with their model',
    path: [
      { do: 'create', days: null, keyed: true, fault: null },
      { do: 'work', model: 0, how: 'fits', fault: null },
      { do: 'delete', model: 0, fault: null },
      { do: 'again', request: 0 },
      { do: 'defer', days: null, windows: 7, keyed: true, fault: null },
      { do: 'batch', model: 1, windows: 1, keyed: true, fault: null },
      { do: 'delete', model: 1, fault: null },
      { do: 'again', request: 1 },
      { do: 'again', request: 2 },
    ],
  },
  {
    what: 'a batch sent during a fit is refused, not billed',
    path: [collecting, { do: 'fit', model: 0, ...request }, { do: 'batch', model: 0, windows: 1, ...request }],
  },
  {
    what: 'credit that is held for a fit that nobody ends is free again',
    path: [
      collecting,
      { do: 'fit', model: 0, keyed: true, fault: null },
      { do: 'wait', hours: 720 },
      { do: 'sweep', fault: null },
    ],
  },
  {
    what: 'what died in the course of a create is found by its key',
    path: [
      { do: 'create', days: null, keyed: true, fault: { statement: 19, kind: 'death', when: 'after' } },
      { do: 'wait', hours: 0.02 },
      { do: 'again', request: 0 },
    ],
  },
  {
    what: 'a suspended account pays no hosting, and deletes its model',
    path: [
      ...hosted(0),
      { do: 'suspend' },
      { do: 'wait', hours: 720 },
      { do: 'settle', model: 0, fault: null },
      { do: 'delete', model: 0, fault: null },
    ],
  },
  {
    what: 'a month that cannot be paid ends the model after its week, however late a worker comes',
    path: [
      ...hosted(0),
      credit,
      ...hosted(1),
      { do: 'wait', hours: 840 },
      { do: 'create', days: null, keyed: true, fault: null },
      { do: 'wait', hours: 168 },
      { do: 'predict', model: 1, windows: 1, keyed: true, fault: null },
      { do: 'create', days: null, keyed: true, fault: null },
      { do: 'settle', model: 0, fault: null },
    ],
  },
  {
    what: 'a month that began before the model expired is owed, however late a worker comes',
    path: [
      { do: 'create', days: 60, keyed: true, fault: null },
      { do: 'work', model: 0, how: 'fits', fault: null },
      { do: 'wait', hours: 720 },
      { do: 'wait', hours: 720 },
      { do: 'wait', hours: 0.02 },
      { do: 'sweep', fault: null },
      { do: 'settle', model: 0, fault: null },
    ],
  },
  {
    what: 'a batch of a model that was not there finds none when it is sent again, whatever was made meanwhile',
    path: [
      { do: 'defer', days: null, windows: 1, keyed: true, fault: { statement: 1, kind: 'death', when: 'before' } },
      { do: 'batch', model: 0, windows: 1, keyed: true, fault: null },
      { do: 'again', request: 0 },
      { do: 'again', request: 1 },
    ],
  },
  {
    what: 'a fit that runs is told of before the expiry of its model',
    path: [
      { do: 'defer', days: 1, windows: 1, keyed: true, fault: null },
      { do: 'fit', model: 0, keyed: true, fault: null },
      { do: 'wait', hours: 24 },
      { do: 'fit', model: 0, keyed: true, fault: null },
    ],
  },
  {
    what: 'a create whose process died is not sold an hour later',
    path: [
      { do: 'create', days: 60, keyed: false, fault: null },
      { do: 'die', model: 0 },
      { do: 'wait', hours: 1 },
      { do: 'work', model: 0, how: 'fits', fault: { statement: 4, kind: 'death', when: 'before' } },
      { do: 'defer', days: null, windows: 7, keyed: false, fault: null },
      { do: 'work', model: 0, how: 'fits', fault: null },
    ],
  },
  {
    what: 'a fit whose failure is committed and not heard of ends once',
    path: [
      { do: 'create', days: null, keyed: true, fault: null },
      { do: 'work', model: 0, how: 'fails', fault: { statement: 10, kind: 'death', when: 'after' } },
      { do: 'work', model: 0, how: 'fits', fault: null },
    ],
  },
  {
    what: 'a fit whose end is committed is heard of at last, however often workers die before',
    path: [
      { do: 'create', days: null, keyed: true, fault: null },
      { do: 'work', model: 0, how: 'fits', fault: { statement: 16, kind: 'death', when: 'after' } },
      { do: 'work', model: 0, how: 'fits', fault: { statement: 1, kind: 'death', when: 'before' } },
      { do: 'work', model: 0, how: 'fits', fault: null },
    ],
  },
];

test.each(examples)('$what', async ({ path }) => {
  const [service] = services;
  const beliefs = await after(service!, path);
  expect(beliefs.done).toEqual(path);
  await close(beliefs, service!);
});
