import {
  type AsyncCommand,
  type Arbitrary,
  constant,
  constantFrom,
  integer,
  nat,
  option,
  oneof,
  record,
} from 'fast-check';
import { expect } from 'vitest';
import type { Action, Fault, Outcome } from './actions.ts';
import type { Observed } from './observed.ts';
import { branches } from './rules.ts';
import type { MoneyService } from './service.ts';
import { newState, runningJob, spans, type Model, type Request, type State } from './state.ts';

/** Every state that is consistent with the observations. */
export interface Beliefs {
  states: readonly State[];
  /** The actions so far, for repeating them as an example. */
  readonly done: Action[];
}

export const newBeliefs = (now: number): Beliefs => ({ states: [newState(now)], done: [] });

/** The part of a state that is visible in the database. */
function shown({ available, reserved, spent, models }: State): Observed {
  return {
    available,
    reserved,
    spent: Object.fromEntries(Object.entries(spent).filter(([, usd]) => usd > 0n)),
    models: Object.fromEntries(
      models.flatMap(({ status, paidThrough, expiresAt, unpaidSince, fees, months, batches }, n) =>
        status === 'none'
          ? []
          : [
              [
                `m${n}`,
                {
                  status,
                  paidThrough,
                  expiresAt,
                  unpaidSince,
                  fees,
                  months,
                  batches: status === 'collecting' ? batches : 0,
                },
              ],
            ],
      ),
    ),
  };
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each), 1);
const same = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint'
      ? `${each}n`
      : each !== null && typeof each === 'object' && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
        : each,
  );

/** The models that an action is mostly meant for; the others are tried as well, where any is. */
const meant: Readonly<Partial<Record<Action['do'], (model: Model) => boolean>>> = {
  batch: ({ status }) => status === 'collecting',
  fit: ({ status }) => status === 'collecting',
  predict: ({ status }) => status === 'active',
  settle: ({ status }) => status === 'active' || status === 'collecting',
  work: ({ job }) => job !== null,
  leave: ({ job }) => job !== null,
  die: ({ job }) => job !== null,
};
const aside = 4;

/** The action with its model and its request among those that there are; null where there is none. */
function within(action: Action, { now, models, requests }: State): Action | null {
  /**
   * True if a request must not be repeated: its key has expired but its job still runs, where the sweep ends jobs long
   * before; or a create has made its model, and a repeat would use the same name.
   */
  const forgotten = ({ action: { do: what }, model, since }: Request, at: number): boolean =>
    now >= since + spans.keys &&
    (runningJob(models[model]!)?.request === at ||
      ((what === 'create' || what === 'defer') && models[model]!.status !== 'none'));
  if ('model' in action) {
    const wanted = meant[action.do];
    const those = models.flatMap((model, at) => (wanted?.(model) ? [at] : []));
    const any = action.model >= aside || !wanted ? [...models.keys()] : those;
    return any.length === 0 ? null : { ...action, model: any[action.model % any.length]! };
  }
  if (action.do !== 'again') return action;
  const keyed = requests.flatMap((each, at) => (each.action.keyed && !forgotten(each, at) ? [at] : []));
  return keyed.length === 0 ? null : { ...action, request: keyed[action.request % keyed.length]! };
}

/** One step of a path: the action is carried out, and what the database says must be what the rules allow. */
export class Step implements AsyncCommand<Beliefs, MoneyService> {
  private readonly draw: (state: State) => Action | null;
  private carried: Action | null = null;

  constructor(draw: (state: State) => Action | null) {
    this.draw = draw;
  }

  check = ({ states }: Readonly<Beliefs>): boolean => this.draw(states[0]!) !== null;

  async run(beliefs: Beliefs, service: MoneyService): Promise<void> {
    const action = this.draw(beliefs.states[0]!)!;
    this.carried = action;
    beliefs.done.push(action);
    const { came, hit }: Outcome = await service.perform(action);
    const allowed = beliefs.states.flatMap((state) => branches(state, action, hit));
    const { observed, problems } = await service.look();
    const comparable = {
      ...observed,
      models: Object.fromEntries(
        Object.entries(observed.models).map(([name, model]) => [
          name,
          model.status === 'collecting' ? model : { ...model, batches: 0 },
        ]),
      ),
    };
    const fits = allowed.filter((each) => (each.came?.includes(came) ?? true) && same(shown(each.state), comparable));
    if (fits.length === 0)
      expect.fail(
        `${text(action)} came to ${came}${hit ? ', its process was hit' : ''}. Seen: ${text(comparable)}. Allowed: ` +
          allowed.map((each) => `${text(each.came)} ${text(shown(each.state))}`).join(' or ') +
          `. Logged: ${service.logged.at(-1)}. Path: ${JSON.stringify(beliefs.done)}`,
      );
    beliefs.states = distinct(fits.map(({ state }) => state));
    if (problems.length > 0)
      expect.fail(`After ${text(action)}: ${problems.join('; ')}. Path: ${JSON.stringify(beliefs.done)}`);
  }

  toString = (): string => JSON.stringify(this.carried);
}

const distinct = (states: readonly State[]): State[] => [
  ...new Map(states.map((state) => [sorted(state), state])).values(),
];

const fault: Arbitrary<Fault | null> = option(
  record({
    statement: integer({ min: 1, max: 30 }),
    kind: constantFrom('death' as const, 'loss' as const),
    when: constantFrom('before' as const, 'after' as const),
  }),
  { freq: 3 },
);
const keyed = constantFrom(true, false);
const model = nat(5);
const days = constantFrom(null, null, 1, 6, 20, 31, 60);
const windows = constantFrom(1, 7, 40, 300, 700);
const dollars = constantFrom(null, 0, 1, 2, 3, 10);
const weighted = (weight: number, arbitrary: Arbitrary<Action>) => ({ weight, arbitrary });
const does = <K extends Action['do']>(name: K): { do: Arbitrary<K> } => ({ do: constant(name) });

/** What may happen next, as often as it is worth trying. */
const action: Arbitrary<Action> = oneof(
  weighted(5, record({ ...does('create'), days, keyed, fault })),
  weighted(4, record({ ...does('defer'), days, windows, keyed, fault })),
  weighted(3, record({ ...does('batch'), model, windows, keyed, fault })),
  weighted(4, record({ ...does('fit'), model, keyed, fault })),
  weighted(5, record({ ...does('predict'), model, windows, keyed, fault })),
  weighted(3, record({ ...does('again'), request: nat(20) })),
  weighted(2, record({ ...does('delete'), model, fault })),
  weighted(2, record({ ...does('expire'), model, days, fault })),
  weighted(8, record({ ...does('work'), model, how: constantFrom('fits', 'fits', 'fits', 'fails', 'faults'), fault })),
  weighted(2, record({ ...does('leave'), model })),
  weighted(2, record({ ...does('die'), model })),
  weighted(4, record({ ...does('settle'), model, fault })),
  weighted(2, record({ ...does('sweep'), fault })),
  weighted(2, record({ ...does('credit'), usd: constantFrom(1, 2, 5, 20, -1, -3) })),
  weighted(1, record({ ...does('caps'), daily: dollars, monthly: dollars, windows: constantFrom(null, null, 50) })),
  weighted(1, record({ do: constantFrom('suspend' as const, 'resume' as const, 'resume' as const) })),
  weighted(5, record({ ...does('wait'), hours: constantFrom(0.02, 0.3, 1, 7, 24, 168, 720, 840) })),
);

export const step: Arbitrary<Step> = action.map((each) => new Step((state) => within(each, state)));

/** The steps of a path as it is written down. */
export const stepsOf = (path: readonly Action[]): Step[] => path.map((each) => new Step(() => each));
