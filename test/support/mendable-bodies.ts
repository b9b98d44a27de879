import { biosemi64 } from '../../ml/channels/not-electrodes.ts';
import { base64, channels, createBody, labels, nested } from './requests.ts';

/** A refused body and its sender's intention; null if only the sender knows it. */
export interface MendableBody {
  readonly name: string;
  readonly what: 'create' | 'batch' | 'predict';
  readonly body: Readonly<Record<string, unknown>>;
  readonly meant: Readonly<Record<string, unknown>> | null;
}

type Change = Record<string, unknown>;
const without = (body: Change, ...fields: string[]): Change =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
const batchBody = (change: Change = {}): Change => ({ ...without(createBody(), 'description'), ...change });
const predictBody = (change: Change = {}): Change => ({
  ...without(createBody(), 'description', 'labels'),
  ...change,
});
const sender = (what: MendableBody['what'], make: (change?: Change) => Change) => ({
  /** `change` of a good body was sent where `meant` was. */
  meaning: (name: string, change: Change, meant: Change): MendableBody => ({
    name,
    what,
    body: make(change),
    meant: make(meant),
  }),
  /** `change` of a good body can mean several things. */
  unclear: (name: string, change: Change): MendableBody => ({ name, what, body: make(change), meant: null }),
});
const create = sender('create', createBody);
const batch = sender('batch', batchBody);
const predict = sender('predict', predictBody);

const x = nested();
const [trials, rows, samples] = [x.length, x[0].length, x[0][0].length];
const float64 = (values: readonly number[]): string => Buffer.from(new Float64Array(values).buffer).toString('base64');
const int16 = (values: readonly number[]): string => Buffer.from(Int16Array.from(values).buffer).toString('base64');
const flat = x.flat(2);
const shape = [trials, rows, samples];
const asVolts = x.map((trial) => trial.map((row) => row.map((value) => value * 1e-6)));
const numbered = labels.map((label) => (label === 'left' ? 1 : 2));
const sessions = labels.map((_, trial) => (trial < 6 ? 'monday' : 'friday'));
const long = 'x'.repeat(200);
const named = (...names: string[]): Change => ({ channels: names });

const wide: Change = { x: nested(trials, 64, 12) };
const capNames = biosemi64.map((_, at) => (at < 32 ? `A${at + 1}` : `B${at - 31}`));

/** Requests that are refused. No caller may lose money or meaning by sending the first alternative back. */
export const mendableBodies: readonly MendableBody[] = [
  create.unclear('float64 base64 with the shape of float32', { x: float64(flat), shape }),
  create.unclear('float64 base64 without a shape', { x: float64(flat) }),
  create.unclear('whole numbers in float64 without a shape', { x: float64(flat.map(Math.round)) }),
  create.unclear('float32 numbers in float64 without a shape', { x: float64(flat.map(Math.fround)) }),
  create.unclear('float64 base64 with twice the samples', { x: float64(flat), shape: [trials, rows, 2 * samples] }),
  create.unclear('int16 base64 with the shape of float32', { x: int16(flat), shape }),
  create.unclear('int16 base64 without a shape', { x: int16(flat) }),
  create.meaning('float32 base64 without a shape', { x: base64(x) }, { x: base64(x), shape }),
  create.meaning('a wrong length in shape', { x: base64(x), shape: [12, 3, 100] }, { x: base64(x), shape }),
  create.meaning('nested lists with a wrong shape', { shape: [12, 3, 79] }, { shape }),

  create.meaning('dry_run as text', { dry_run: 'true' }, { dry_run: true }),
  create.meaning("dry_run as Python's text", { dry_run: 'True' }, { dry_run: true }),
  create.meaning('dry_run as a number', { dry_run: 1 }, { dry_run: true }),
  create.meaning('dry_run as the text false', { dry_run: 'false' }, { dry_run: false }),
  create.unclear('dry_run in another word', { dry_run: 'yes please' }),
  create.meaning('dryRun', { dryRun: true }, { dry_run: true }),
  create.meaning('an estimate by another name', { estimate: true }, { dry_run: true }),
  create.unclear('dry_run twice, with two meanings', { dry_run: false, dryRun: true }),
  create.meaning('dry_run twice, with one meaning', { dry_run: true, dryRun: true }, { dry_run: true }),
  predict.unclear('dry_run in a prediction', { dry_run: true }),
  predict.unclear('simulate in a prediction', { simulate: true }),
  predict.meaning('dry_run false in a prediction', { dry_run: false }, {}),
  batch.unclear('dry_run in a batch', { dry_run: true }),
  create.meaning('defer_fit as text', { defer_fit: 'true' }, { defer_fit: true }),

  create.meaning('POL C3', named('POL C3', 'Cz', 'C4'), {}),
  create.meaning('full-width letters', named('Ｃ３', 'Cz', 'C4'), {}),
  create.meaning('prefixes and references', named('EEG C3-REF', 'EEG Cz-REF', 'EEG C4-REF'), {}),
  create.meaning(
    '64 names with a reference',
    { ...wide, channels: biosemi64.map((site) => `EEG ${site}-REF`) },
    { ...wide, channels: biosemi64 },
  ),
  create.meaning('a cap of 64', { ...wide, channels: capNames }, { ...wide, channels: biosemi64 }),
  create.meaning('dots', named('C3..', 'Cz..', 'C4..'), {}),
  create.unclear('CB1', named('CB1', 'Cz', 'C4')),
  create.unclear('foo', named('foo', 'Cz', 'C4')),
  create.unclear('P07', named('C3', 'Cz', 'P07')),
  create.unclear('a prefix beside a name that is no electrode', named('POL C3', 'Cz', 'foo')),
  create.unclear('a net of 128', named('E36', 'E55', 'E104')),
  create.unclear('a cap of 128', named('A1', 'B2', 'D3')),
  create.unclear('an electrode twice', named('C3', 'Cz', 'EEG C3')),
  create.unclear('a channel too few', named('C3', 'Cz')),

  create.unclear('an expiry in the past', { expires_at: '2020-01-01' }),
  create.unclear('an expiry that is no date', { expires_at: 'next year' }),
  create.meaning(
    'an expiry with a blank',
    { expires_at: '2999-01-31 12:00:00' },
    { expires_at: '2999-01-31T12:00:00' },
  ),
  create.meaning('an expiry in Unix seconds', { expires_at: 32475474000 }, { expires_at: '2999-02-08T13:00:00.000Z' }),
  create.unclear('two expiries', { expires_at: '2999-01-01', expires_in_days: 3 }),
  create.meaning('days as text', { expires_in_days: '30' }, { expires_in_days: 30 }),
  create.unclear('half days', { expires_in_days: 30.5 }),
  create.unclear('too many days', { expires_in_days: 10_000 }),

  create.unclear('a rate of 0', { sampling_rate_hz: 0 }),
  create.unclear('a rate of 1e9', { sampling_rate_hz: 1e9 }),
  create.unclear('a rate in kHz', { sampling_rate_hz: 0.1 }),
  create.meaning('a rate as text', { sampling_rate_hz: '100' }, { sampling_rate_hz: 100 }),
  create.unclear('a rate with a comma', { sampling_rate_hz: '0,1' }),
  create.meaning('sfreq', { sampling_rate_hz: undefined, sfreq: 100 }, {}),
  create.meaning('fs', { sampling_rate_hz: undefined, fs: 100 }, {}),
  create.unclear('a frequency, which may be that of a stimulus', { sampling_rate_hz: undefined, frequency: 15 }),
  create.unclear('two rates that differ', { fs: 200 }),
  create.meaning('two rates that agree', { fs: 100 }, {}),

  create.meaning('units missing', { units: undefined }, { units: 'uV' }),
  create.meaning('units missing, the numbers are volts', { x: asVolts, units: undefined }, { x: asVolts, units: 'V' }),
  create.meaning('units in words', { units: 'Volts' }, { units: 'V' }),
  create.unclear('another unit', { units: 'nV' }),
  create.meaning('units null', { units: null }, { units: 'uV' }),
  create.meaning('units unknown', { units: 'unknown' }, { units: 'uV' }),

  create.meaning('labels as numbers', { labels: numbered }, { labels: numbered.map(String) }),
  create.meaning(
    'labels as booleans',
    { labels: numbered.map((label) => label === 1) },
    { labels: numbered.map((label) => String(label === 1)) },
  ),
  create.unclear('a label that is null', { labels: [null, ...labels.slice(1)] }),
  create.unclear('labels longer than 200 characters', { labels: labels.map((label) => long + label) }),
  create.meaning('labels with line ends', { labels: labels.map((label) => `${label}\n`) }, {}),
  create.unclear('labels that only control characters tell apart', {
    labels: labels.map((label) => (label === 'left' ? 'go\u0001' : 'go')),
  }),
  create.unclear('labels of nothing but control characters', { labels: labels.map(() => '\u0001') }),
  create.unclear('one class', { labels: labels.map(() => 'left') }),
  create.meaning('y', { labels: undefined, y: labels }, {}),
  create.unclear('class names, not labels', { labels: undefined, classes: ['left', 'right'] }),
  create.unclear('sessions too short', { sessions: ['a'] }),
  create.unclear('session against sessions', { session: 'a', sessions }),
  create.meaning('sessions as numbers', { sessions: numbered }, { sessions: numbered.map(String) }),
  create.meaning('a name with a tab', { name: 'left\tright' }, { name: 'left right' }),
  create.meaning('a name that is a number', { name: 7 }, { name: '7' }),
  create.unclear('a name that is too long', { name: 'n'.repeat(201) }),
  create.unclear('a description that is too long', { description: 'd'.repeat(101) }),

  create.meaning(
    'an enumerated value in other letters',
    { missing_channels: 'Reject' },
    { missing_channels: 'reject' },
  ),
  create.unclear('a frame that is not known', { position_frame: 'talairach' }),
  create.unclear('positions of too few channels', { positions: [[0, 0, 0.1]] }),
  create.meaning(
    'positions in millimetres',
    { positions: channels.map((_, at) => [10 * at, 20, 90]) },
    { positions: channels.map((_, at) => [(10 * at) / 1000, 0.02, 0.09]) },
  ),
  create.unclear('positions of no unit', { positions: channels.map(() => [1e6, 0, 0]) }),
  create.unclear('a context with a misspelt key', { normalization_context: { sesion_id: sessions } }),
  create.meaning('a model', { model: 'large' }, {}),
  create.meaning('parameters', { parameters: { depth: 3 } }, {}),
  create.meaning('a misspelt parameter', { parameters: { prior: 'as_sent' } }, { parameters: { priors: 'as_sent' } }),
  create.meaning('a parameter beside the others', { priors: 'as_sent' }, { parameters: { priors: 'as_sent' } }),
  create.meaning('no baseline', { parameters: { baseline_seconds: 0 } }, { parameters: { baseline_seconds: null } }),
  create.unclear('zero_shot with trials', { mode: 'zero_shot' }),
  create.unclear('a mode that is none', { mode: 'zero-shot' }),
  create.unclear('a field that is none', { comment: 'first try' }),
  create.unclear('a filter that the service does not apply', { bandpass: [8, 30] }),
  create.unclear('people, who may be meant to be held out', { subjects: labels.map((_, trial) => `s${trial % 3}`) }),
  create.meaning('a field of a prediction', { align: 'none' }, {}),

  predict.meaning(
    'sessions in a prediction',
    { sessions, align: 'batch' },
    { normalization_context: { session_id: sessions }, align: 'batch' },
  ),
  predict.meaning('sessions null in a prediction', { sessions: null }, {}),
  predict.unclear('sessions beside a context', { sessions, normalization_context: { session_id: sessions } }),
  predict.meaning('labels in a prediction', { labels }, {}),
  predict.meaning('a whole create request', { labels, description: 'left or right hand', name: 'mine' }, {}),
  predict.meaning('align in capitals', { align: 'BATCH' }, { align: 'batch' }),
  predict.unclear('align by another name', { align: 'euclidean' }),
  batch.meaning('a whole create request as a batch', { description: 'left or right hand', defer_fit: true }, {}),
];
