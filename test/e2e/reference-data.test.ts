import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balancedAccuracy, referenceCaller, trialsOf, type StrangersTrials } from '../support/reference-caller.ts';
import { simulatePeople } from '../support/simulated-people.ts';
import { admin, adminKey, newDataDir, runMain, type Program } from '../support/stack.ts';

const models = '/v1/task-models';
const channels = ['O1', 'Oz', 'O2'];
const seconds = 2;
const nameOf: Record<string, string> = { eyes_closed: 'Augen zu', eyes_open: 'Augen auf' };
const otherOf: Record<string, string> = { 'Augen zu': 'Augen auf', 'Augen auf': 'Augen zu' };
const zeroShot = {
  mode: 'zero_shot',
  description: 'resting state',
  classes: Object.values(nameOf),
  channels,
  sampling_rate_hz: 160,
  trial_seconds: seconds,
};

let folder: string;
let data: Awaited<ReturnType<typeof newDataDir>>;
let stack: Program;
let caller: ReturnType<typeof referenceCaller>;
let key: string;
/** The last of seven people: the service never holds their recordings. */
let stranger: StrangersTrials;
let simulated: ReturnType<typeof simulatePeople>;

/** Lets the service have a person's recordings. */
function publish(person: string): void {
  for (const run of ['01', '02']) {
    const from = simulated.pathOf(person, run);
    const to = from.replace(join(folder, 'all'), join(folder, 'held'));
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
}

const referenceUrl = () => pathToFileURL(join(folder, 'held')).href;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'eeg-eyes-'));
  simulated = simulatePeople(join(folder, 'all'), 7, { seconds: 24, ratio: 2.5 });
  publish('S001');
  const theirs = { person: 'S007', runs: ['01', '02'], task: 'eyes-open-closed' };
  stranger = await trialsOf(join(folder, 'all'), simulated.set, theirs, channels, seconds);
  data = await newDataDir();
  stack = runMain('start', [], { DATA_DIR: data.path, REFERENCE_DATA_URL: referenceUrl() });
  const url = (await stack.says(/API\s+(http:\S+)/))[1];
  const account = await adminKey(data.path);
  await admin(data.path, 'account', 'credit', '--account', account.accountId, '--usd', '20');
  await admin(data.path, 'account', 'limits', '--account', account.accountId, '--concurrency', '20');
  ({ key } = account);
  caller = referenceCaller(url, key);
}, 300_000);
afterAll(async () => {
  await stack?.interrupt();
  await data?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Trials of the stranger, of both classes by turns, named as `told` says. */
function labelled(told: (name: string) => string, from = 0, to = Number.POSITIVE_INFINITY) {
  const half = stranger.x.length / 2;
  const order = stranger.x.map((_, i) => (i % 2) * half + (i >> 1)).slice(from, to);
  return {
    x: order.map((row) => stranger.x[row]),
    labels: order.map((row) => told(nameOf[stranger.classIds[row]])),
    sampling_rate_hz: 160,
    units: 'uV',
    channels,
  };
}
const unlabelled = ({ labels: _, ...signal }: ReturnType<typeof labelled>) => signal;

/** Rows of a report whose methods began from other people. */
const beginners = (report: any): any[] =>
  report.methods.filter(({ id, status }: any) => id.startsWith('reference-') && status !== 'skipped');

/** Another API process, which has seen none of the models. */
async function restarted<T>(ask: (again: ReturnType<typeof referenceCaller>) => Promise<T>): Promise<T> {
  const api = runMain('api', [], { DATA_DIR: data.path, REFERENCE_DATA_URL: referenceUrl() });
  const answer = await ask(referenceCaller((await api.says(/API\s+(http:\S+)/))[1], key));
  await api.interrupt();
  return answer;
}

describe('recordings of other people, over HTTP', () => {
  let evidence: any;

  it('of one person are not enough to distinguish eyes closed from open; ten simultaneous callers share one preparation', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => caller.estimated(zeroShot)));
    expect(ten.every((said) => said[0].ready === false)).toBe(true);
    expect(stack.output().match(/Reference data .*: required/g)).toHaveLength(1);
    const { ready, preparation, reference_classes: mapping } = ten[9].at(-1);
    expect([ready, preparation.status, preparation.retryable]).toEqual([false, 'required', false]);
    expect(preparation.reason).toContain('for 1 of 105 people, and one person is not enough');
    expect(Object.keys(mapping)).toEqual(zeroShot.classes);
  });

  it('of six people give a model that labels a seventh person as well as its evidence says', async () => {
    simulated.people.slice(1, 6).forEach(publish);
    const prepare = runMain('reference', ['prepare', 'eegmmidb', '--task', 'eyes-open-closed'], {
      DATA_DIR: data.path,
      REFERENCE_DATA_URL: referenceUrl(),
    });
    expect(await prepare.exit, prepare.output()).toBe(0);
    expect(prepare.output()).toContain('ready, 6 people on 64 electrodes');
    const said = await caller.estimated(zeroShot);
    const { ready, explanation, reference_classes: mapping } = said.at(-1);
    expect([said[0].ready, ready]).toEqual([false, true]);
    ({ evidence } = said.at(-1));
    expect(evidence).toMatchObject({ people: 6, people_missing: 99, chance: 0.5, electrodes_read: channels });
    expect(explanation['Augen zu']).toContain('keeps the eyes closed');

    const made = await caller.post(models, { ...zeroShot, reference_classes: mapping }, { 'idempotency-key': 'eyes' });
    expect(made.status, JSON.stringify(made.body).slice(0, 400)).toBe(201);
    expect(made.body.training_report).toMatchObject({ balanced_accuracy: evidence.balanced_accuracy, chance: 0.5 });
    const trials = labelled((name) => name);
    const told = await caller.post(`${models}/${made.body.id}/predictions`, { ...unlabelled(trials), align: 'batch' });
    const accuracy = balancedAccuracy(trials.labels, told.body);
    expect(accuracy).toBeGreaterThanOrEqual(evidence.one_person_95[0]);
    expect(accuracy).toBeLessThanOrEqual(evidence.one_person_95[1]);
  });

  it('are the starting point of methods that compete on a caller with few trials, and the model is kept', async () => {
    const few = { ...labelled((name) => name, 0, 12), description: 'resting state' };
    const { prior, candidates, ready } = (await caller.estimated(few)).at(-1);
    expect([prior.status, ready]).toEqual(['ready', undefined]);
    const ids = candidates.map(({ id }: { id: string }) => id).filter((id: string) => id.startsWith('reference-'));
    expect(ids).toEqual(['reference-prior-wide', 'reference-ridge-wide', 'reference-average-wide']);
    const made = await caller.post(models, few);
    expect(made.status, JSON.stringify(made.body).slice(0, 400)).toBe(201);
    const report = made.body.training_report;
    const rows = beginners(report);
    expect(rows.map(({ id, status }) => [id, status])).toEqual(ids.map((id: string) => [id, 'scored']));
    for (const row of rows) expect(row.balanced_accuracy).toBeGreaterThan(0.6);
    const rest = labelled((name) => name, 12);
    const path = `${models}/${made.body.id}/predictions`;
    const told = await caller.post(path, unlabelled(rest));
    expect(balancedAccuracy(rest.labels, told.body)).toBeGreaterThan(0.7);
    const again = await restarted((other) => other.post(path, unlabelled(rest)));
    expect(again.body.data).toEqual(told.body.data);
  });

  it('with the opposite classes lose in a deferred fit, and do no harm', async () => {
    const turned = (from: number, to: number) => labelled((name) => otherOf[name], from, to);
    const first = { ...turned(0, 10), description: 'resting state', defer_fit: true };
    const { body: model } = await caller.post(models, first);
    expect(model.status, JSON.stringify(model).slice(0, 400)).toBe('collecting');
    const url = `${models}/${model.id}`;
    expect((await caller.post(`${url}/trials`, turned(10, 16))).status).toBe(200);
    const fitted = await caller.post(`${url}/fit`);
    expect(fitted.status, JSON.stringify(fitted.body).slice(0, 400)).toBe(200);
    const { training_report: report } = fitted.body;
    const [prior] = beginners(report);
    expect(prior.id).toBe('reference-prior-wide');
    expect(['scored', 'dropped']).toContain(prior.status);
    expect(prior.balanced_accuracy).toBeLessThanOrEqual(0.5);
    expect(report.method).not.toBe('reference-prior-wide');
    expect(report.balanced_accuracy).toBeGreaterThan(0.7);
    const rest = turned(16, 24);
    const told = await caller.post(`${url}/predictions`, unlabelled(rest));
    expect(balancedAccuracy(rest.labels, told.body)).toBeGreaterThan(0.7);
  });
});
