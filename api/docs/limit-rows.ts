import { count } from '../../infra/contract/quote.ts';
import { limits, newAccountLimits } from '../../infra/contract/limits.ts';

const days = (value: number): string => `${value} days`;
const atMost = (what: string) => (value: number) => `at most ${count(value)} ${what}`;
const between = (what: string) => (value: { readonly min: number; readonly max: number }) =>
  `${count(value.min)} to ${count(value.max)} ${what}`.trim();
const aDay = (value: number): string => `${count(value)} a day (UTC)`;
const kept = (value: number): string => `at most ${count(value)}`;
const mebibytes = (value: number): string => `at most ${count(value / 1024 / 1024)} MiB`;

type Rows<T> = { readonly [K in keyof T]: readonly [what: string, words: (value: T[K]) => string] };

/** Description and formatted value of each limit. Every limit has a row. */
const rows: Rows<typeof limits> = {
  numbersPerRequest: [
    'Numbers of a request: trials × channels × samples, as sent and again after resampling',
    (value) => `at most ${count(value)}`,
  ],
  windowsPerRequest: ['Trials of a request, each counted once per window', atMost('windows')],
  trialsPerModel: ['Trials of a collecting model, over all its batches', atMost('trials')],
  trialsPerFit: ['Trials that a fit reads; if there are more, a sample', atMost('trials')],
  batchesPerModel: ['Batches of a collecting model', atMost('batches')],
  featureBytesPerModel: ['Features of a collecting model', mebibytes],
  classesPerModel: ['Classes of a model', atMost('classes')],
  classNameBytesPerModel: ['Names of the classes of a model, together', (value) => `at most ${count(value)} bytes`],
  windowSeconds: ['A window, which trials are counted and billed in', (value) => `${value} s`],
  bodyBytes: ['Body of a request', mebibytes],
  answerBytes: ['Answer of a prediction', mebibytes],
  minClasses: ['Classes of a model', (value) => `at least ${value}`],
  minTrialsPerClass: ['Trials of each class', (value) => `at least ${value}`],
  recommendedTrialsPerClass: ['Trials of each class, recommended', (value) => `${value} or more`],
  zeroShotClasses: ['Class names of a model without trials', between('')],
  descriptionCharacters: ['Description', atMost('characters')],
  nameCharacters: ['Name of a model', atMost('characters')],
  labelCharacters: ['Label, session name', atMost('characters')],
  channelsPerRequest: ['Channels', atMost('rows')],
  samplingRateHz: ['Sampling rate', between('Hz')],
  workingRateHz: ['Rate to which every signal is resampled', (value) => `${value} Hz`],
  nearestSiteMillimetres: [
    'Distance of an electrode that replaces a missing one of the 19 sites',
    (value) => `within ${value} mm`,
  ],
  baselineSeconds: ['`baseline_seconds`', between('s')],
  expiresInDays: ['`expires_in_days`', between('days')],
  listPageSize: [
    'Models of a page of the list',
    (value) => `${value.min} to ${value.max}; ${value.default} by default`,
  ],
  idempotencyKeyBytes: ['`Idempotency-Key`', atMost('bytes')],
  inlineAnswerBytes: [
    'Answer that is kept in the database; larger ones go to the object store',
    (value) => `at most ${count(value)} bytes`,
  ],
  idempotencyKeyDays: ['How long the answer to an `Idempotency-Key` is kept', days],
  jobDays: ['How long a job can be read after its end', days],
  fitWaitMinutes: ['A request that waits for its fit', (value) => `at most ${value} minutes`],
  waitSeconds: ['`wait` of `Prefer: respond-async`', (value) => `at most ${value} s`],
  collectingDays: ['Time to fit a collecting model before it is deleted', days],
  hostingDays: ['A month of hosting', days],
  testModelDays: ['Life of a model of a test key', days],
  unpaidGraceDays: ['Time to pay for a month of hosting before the model expires', days],
  fitHours: ['A fit', (value) => `at most ${value} hours`],
  stagedMinutes: ['Time to turn the signal of a create into features', (value) => `${value} minutes`],
  rateWindowSeconds: ['Window in which requests are counted', (value) => `${value} s`],
  requestLogDays: ['How long the log of requests is kept', days],
  usageDays: ['How long the counts of requests by day are kept', days],
  holdDays: ['How long a reservation of credit is kept after it was charged or released', days],
  livingKeys: ['Keys of an account that are neither revoked nor expired', (value) => `at most ${value}`],
  shareLinksPerModel: ['Share links of a model at one time', (value) => `at most ${value}`],
  warningsOfBatches: ['Warnings of batches that a report repeats', (value) => `at most ${value}`],
  browserFileBytes: ['Files that the dashboard reads at once', mebibytes],
};

const accountRows: Rows<typeof newAccountLimits> = {
  rps: ['Requests, over the counting window', (value) => `${value} per second`],
  burst: ['Requests in one second (`burst`)', (value) => `at most ${value}`],
  concurrency: ['Requests at the same time (`concurrency`)', (value) => `at most ${value}`],
  dailyEstimates: ['Estimates (`daily_estimates`)', (value) => `${value} a day`],
  dailyCapMicroUsd: ['Spending in a day (`daily_cap_usd`)', () => 'no cap until you set one'],
  monthlyCapMicroUsd: ['Spending in a month (`monthly_cap_usd`)', () => 'no cap until you set one'],
  dailyTestCreates: ['Creates with test keys (`daily_test_creates`)', aDay],
  dailyTestWindows: ['Windows of predictions and batches with test keys (`daily_test_windows`)', aDay],
  collectingModels: ['Collecting models (`collecting_models`)', kept],
  testModels: ['Fitted models of test keys (`test_models`)', kept],
  liveModels: ['Fitted models of live keys (`live_models`)', kept],
  runningFits: ['Fits that run at the same time (`running_fits`)', kept],
  batchBytes: ['Features of collecting models (`batch_bytes`)', mebibytes],
  storedAnswers: ['Answers kept for their `Idempotency-Key` (`stored_answers`)', kept],
  storedAnswerBytes: ['Bytes of these answers (`stored_answer_bytes`)', mebibytes],
};

const tableOf = <T extends object>(all: Rows<T>, values: T): string =>
  [
    '| Limit | Value |',
    '| --- | --- |',
    ...(Object.keys(all) as (keyof T)[]).map((name) => `| ${all[name][0]} | ${all[name][1](values[name])} |`),
  ].join('\n');

/** Table of the limits of every request and of a new account, as markdown. */
export const limitsTable = (): string => tableOf(rows, limits);
export const accountLimitsTable = (): string => tableOf(accountRows, newAccountLimits);
