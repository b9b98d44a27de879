import type { KeyMode } from '../../../infra/contract/task-model.ts';
import { prices } from '../../../infra/contract/prices.ts';
import type { Random } from '../../../ml/random.ts';
import type { Asked, PatientCaller, Reply } from './patient-caller.ts';
import { windowsOf, type SimpleTask } from './simple-tasks.ts';

/** A model as its account knows it. */
export interface KnownModel {
  readonly id: string;
  readonly mode: KeyMode;
  readonly task: SimpleTask;
  /** Whether its DELETE was sent, and whether that was answered. */
  deletion: 'none' | 'asked' | 'done';
  /** `data` of the first answer to each input. */
  readonly answers: Map<number, string>;
}

/** An account that asks, and keeps its own books of what it must have been charged. */
export interface Tenant {
  readonly accountId: string;
  readonly models: readonly KnownModel[];
  /** Keyed requests with their answers: asked again, they must be answered the same. */
  readonly kept: readonly { readonly asked: Asked; readonly text: string }[];
  /** Micro-dollars that its answers say were charged. */
  readonly charged: bigint;
  /** Windows of predictions without a key of which nobody can say whether they were charged. */
  readonly unsureWindows: readonly number[];
  /** Creates without a key of which nobody can say whether they were done. */
  readonly unsureCreates: number;
  /** What was answered otherwise than it must be. */
  readonly problems: readonly string[];
  /** Labels that were asked for, and those among them that were right. */
  readonly labels: { asked: number; right: number };
  /** Creates a model of the task, in one of the ways there are. */
  create(task: SimpleTask): Promise<KnownModel | null>;
  /** Labels trials with the model: one of the inputs of its task, or the `input`-th. */
  predict(model: KnownModel, input?: number): Promise<void>;
  remove(model: KnownModel): Promise<void>;
}

const path = '/v1/task-models';
const createFee = prices.createFee + prices.hostingMonth;

/** The ways of a create, and how often each is taken. */
const ways = [
  { upTo: 0.7, mode: 'live', keyed: true, deferred: false },
  { upTo: 0.82, mode: 'test', keyed: true, deferred: false },
  { upTo: 0.94, mode: 'live', keyed: true, deferred: true },
  { upTo: 1, mode: 'live', keyed: false, deferred: false },
] as const;
/** Predictions without a key, and replays of what was answered. */
const chances = { unkeyed: 0.1, replay: 0.05 };

export function createTenant(
  accountId: string,
  keys: Readonly<Record<KeyMode, string>>,
  caller: PatientCaller,
  random: Random,
): Tenant {
  const models: KnownModel[] = [];
  const kept: { asked: Asked; text: string }[] = [];
  const unsureWindows: number[] = [];
  const problems: string[] = [];
  const labels = { asked: 0, right: 0 };
  let charged = 0n;
  let unsureCreates = 0;
  let names = 0;

  const expect = (right: boolean, what: string, reply?: Reply): boolean => {
    if (!right) problems.push(`${what}${reply ? `: ${reply.status} ${reply.text.slice(0, 400)}` : ''}`);
    return right;
  };
  const post = (mode: KeyMode, to: string, body?: object | string, keyed = true): Asked => ({
    key: keys[mode],
    method: 'POST',
    path: to,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(keyed ? { idempotencyKey: `${accountId}-${(names += 1)}` } : {}),
  });
  const chargeFor = (mode: KeyMode, amount: bigint): void => {
    if (mode === 'live') charged += amount;
  };
  const send = async (asked: Asked): Promise<Reply> => {
    const reply = await caller.send(asked);
    if (asked.idempotencyKey !== undefined && reply.status < 300) kept.push({ asked, text: reply.text });
    return reply;
  };

  /** A fit whose worker was killed twice is given up for its sake: nothing was charged, and it is asked for anew. */
  const sendFit = async (asked: () => Asked): Promise<Reply> => {
    let unsure = 0;
    for (;;) {
      const reply = await send(asked());
      unsure += reply.unsure;
      if (reply.status !== 422 || !reply.text.includes('ended the process that ran it twice'))
        return { ...reply, unsure };
    }
  };

  const known = (reply: Reply, mode: KeyMode, task: SimpleTask): KnownModel | null => {
    const { id, status, classes, training_report: report, method } = reply.body;
    const tried: { id: string; status: string }[] = report?.methods ?? [];
    const sound =
      status === 'active' &&
      classes.length === task.classes.length &&
      task.classes.every((name) => classes.includes(name)) &&
      report.balanced_accuracy > 0.9 &&
      report.chance === 0.5 &&
      tried.some((row) => row.id === method.id);
    if (!expect(sound, 'A fitted model is not as it should be', reply)) return null;
    const model: KnownModel = { id, mode, task, deletion: 'none', answers: new Map() };
    models.push(model);
    chargeFor(mode, createFee);
    return model;
  };

  const createAtOnce = async (task: SimpleTask, mode: KeyMode, keyed: boolean): Promise<KnownModel | null> => {
    const reply = await sendFit(() => post(mode, path, task.create, keyed));
    if (!keyed) unsureCreates += reply.unsure;
    return expect(reply.status === 201, 'A create was refused', reply) ? known(reply, mode, task) : null;
  };
  const createDeferred = async (task: SimpleTask, mode: KeyMode): Promise<KnownModel | null> => {
    const [first, second] = task.batches;
    const created = await send(post(mode, path, { ...first, defer_fit: true }));
    if (!expect(created.status === 201, 'A deferred create was refused', created)) return null;
    chargeFor(mode, prices.window * BigInt(windowsOf(first)));
    const { id } = created.body;
    const added = await send(post(mode, `${path}/${id}/trials`, second));
    if (!expect(added.status === 200 && added.body.batches === 2, 'A batch was not added once', added)) return null;
    chargeFor(mode, prices.window * BigInt(windowsOf(second)));
    const fitted = await sendFit(() => post(mode, `${path}/${id}/fit`));
    return expect(fitted.status === 200, 'A fit was refused', fitted) ? known(fitted, mode, task) : null;
  };

  return {
    accountId,
    models,
    kept,
    unsureWindows,
    problems,
    labels,
    get charged() {
      return charged;
    },
    get unsureCreates() {
      return unsureCreates;
    },
    async create(task) {
      const at = random();
      const { mode, keyed, deferred } = ways.find(({ upTo }) => at < upTo)!;
      return deferred ? createDeferred(task, mode) : createAtOnce(task, mode, keyed);
    },
    async predict(model, wanted) {
      const { task, mode, answers } = model;
      const keyed = random() >= chances.unkeyed;
      const at = wanted ?? Math.floor(random() * task.inputs.length);
      const input = task.inputs[at]!;
      const wasDeleted = model.deletion === 'done';
      const asked = post(mode, `${path}/${model.id}/predictions`, input.body, keyed);
      const reply = await send(asked);
      if (!keyed && mode === 'live') unsureWindows.push(...Array<number>(reply.unsure).fill(input.labels.length));
      if (reply.status === 404) {
        const gone = model.deletion !== 'none' && reply.body.details.status === 'deleted';
        expect(gone, 'A living model was not found', reply);
        return;
      }
      if (!expect(reply.status === 200 && !wasDeleted, 'A prediction was refused', reply)) return;
      chargeFor(mode, prices.window * BigInt(input.labels.length));
      const data = JSON.stringify(reply.body.data);
      const before = answers.get(at);
      answers.set(at, before ?? data);
      expect(before === undefined || before === data, `Two answers of ${model.id} differ: ${before}`, reply);
      labels.asked += input.labels.length;
      labels.right += reply.body.data.filter((row: any, i: number) => row.label === input.labels[i]).length;
      if (!keyed || random() >= chances.replay) return;
      const again = await send(asked);
      // Its answers go with a model that was deleted meanwhile.
      const gone = again.status === 404 && (model.deletion as string) !== 'none';
      expect(gone || (again.replayed && again.text === reply.text), 'A replay is another answer', again);
    },
    async remove(model) {
      model.deletion = 'asked';
      const reply = await caller.send({ key: keys[model.mode], method: 'DELETE', path: `${path}/${model.id}` });
      expect(reply.status === 200 && reply.body.status === 'deleted', 'A model was not deleted', reply);
      model.deletion = 'done';
    },
  };
}
