import { base64, channels, createBody, labels, nested } from './requests.ts';

/** One bad body, its fault, and the expected answer. */
export interface BadBody {
  readonly name: string;
  /** A value is sent as JSON; a string is sent unchanged. */
  readonly body: unknown;
  readonly code: 'INVALID_REQUEST' | 'UNITS_REQUIRED' | 'TOO_FEW_TRIALS' | 'PAYLOAD_TOO_LARGE';
  readonly field: string;
  /** The message contains all of these. */
  readonly says: readonly string[];
  /** First alternative; applied literally it makes the request succeed. */
  readonly fix?: unknown;
  /** Fields with errors; default: the top-level field. */
  readonly fields?: readonly string[];
}

const json = JSON.stringify(createBody());
const changed = (x: number[][][], change: (x: any) => void): unknown => {
  change(x);
  return x;
};
const bad = (name: string, body: unknown, code: BadBody['code'], field: string, says: string[], rest: Partial<BadBody> = {}): BadBody =>
  ({ name, body, code, field, says, ...rest });
const invalid = 'INVALID_REQUEST';
const twelve = (label: (trial: number) => string) => labels.map((_, trial) => label(trial));
const base = (shape: number[] | undefined, x = base64(nested())) => createBody({ x, shape });

/** Bad create bodies (spec, "Input conventions", "Create request", "Limits"). */
export const badBodies: readonly BadBody[] = [
  bad('an empty body', '', invalid, 'body', ['empty']),
  bad('text that is not JSON', json.slice(0, -9), invalid, 'body', ['not JSON']),
  bad('a JSON list', [], invalid, 'body', ['an array']),
  bad('JSON null', 'null', invalid, 'body', ['null']),
  bad('nothing required', {}, invalid, 'x', ['required'], { fields: ['x', 'sampling_rate_hz', 'units', 'channels', 'labels', 'description'] }),
  bad('x missing', createBody({ x: undefined }), invalid, 'x', ['required']),
  bad('x a number', createBody({ x: 5 }), invalid, 'x', ['number 5']),
  bad('x without trials', createBody({ x: [] }), invalid, 'x', ['0 trials'], { fields: ['x', 'labels'] }),
  bad('x two deep', createBody({ x: nested().map((trial) => trial[0]) }), invalid, 'x[0][0]', ['three deep']),
  bad('x four deep', createBody({ x: changed(nested(), (x) => (x[2][1][7] = [1, 2])) }), invalid, 'x[2][1][7]', ['array of 2', 'three deep']),
  bad('a ragged row', createBody({ x: changed(nested(), (x) => x[3][2].pop()) }), invalid, 'x[3][2]', ['79 samples', '80']),
  bad('a ragged first row', createBody({ x: changed(nested(), (x) => x[0][0].push(1)) }), invalid, 'x[0][0]', ['81 samples', '80']),
  bad('a trial with a channel too few', createBody({ x: changed(nested(), (x) => x[5].pop()) }), invalid, 'x[5]', ['2 channels', '3']),
  bad('a trial without channels', createBody({ x: changed(nested(), (x) => (x[4] = [])) }), invalid, 'x[4]', ['0 channels']),
  bad('a row without samples', createBody({ x: changed(nested(), (x) => (x[4][1] = [])) }), invalid, 'x[4][1]', ['0 samples']),
  bad('null among the values', createBody({ x: changed(nested(), (x) => (x[1][2][3] = null)) }), invalid, 'x[1][2][3]', ['null', 'finite']),
  bad('a text among the values', createBody({ x: changed(nested(), (x) => (x[1][2][3] = '4.5')) }), invalid, 'x[1][2][3]', ['"4.5"']),
  bad('a bare NaN, as Python writes it', json.replace(/\[\[\[[^,]*/, '[[[NaN'), invalid, 'x[0][0][0]', ['NaN', 'finite']),
  bad('a bare -Infinity', json.replace(/\[\[\[[^,]*/, '[[[-Infinity'), invalid, 'x[0][0][0]', ['-Infinity']),
  bad('a number beyond float32', json.replace(/\[\[\[[^,]*/, '[[[1e300'), invalid, 'x[0][0][0]', ['1e+300']),
  bad('two bad values', createBody({ x: changed(nested(), (x) => ((x[0][0][1] = null), (x[7][1][5] = null))) }), invalid, 'x[0][0][1]', ['null', '1 more'], { fields: ['x[0][0][1]', 'x[7][1][5]'] }),
  bad('trials × samples × channels', createBody({ x: nested(12, 80, 3) }), invalid, 'channels', ['3 names', '80 rows', 'samples × channels']),
  bad('base64 without shape', base(undefined), invalid, 'shape', ['11,520 bytes', '2,880'], { fix: { shape: [12, 3, 80] } }),
  bad('short base64', base([12, 3, 80], base64(nested(11))), invalid, 'x', ['10,560 bytes', '11,520 bytes']),
  bad('long base64', base([12, 3, 80], base64(nested(12, 3, 81))), invalid, 'x', ['11,664 bytes', '11,520 bytes'], { fix: { shape: [12, 3, 81] } }),
  bad('base64 with a foreign character', base([12, 3, 80], `${base64(nested()).slice(0, 40)}*${base64(nested()).slice(41)}`), invalid, 'x', ['character 40', '"*"']),
  bad('base64 with line breaks', base([12, 3, 80], `${base64(nested()).slice(0, 76)}\n${base64(nested()).slice(76)}`), invalid, 'x', ['character 76', 'line breaks']),
  bad('a data URL', base([12, 3, 80], `data:;base64,${base64(nested())}`), invalid, 'x', ['character 4', 'prefix']),
  bad('NaN in base64', base([12, 3, 80], base64(changed(nested(), (x) => (x[2][1][9] = Number.NaN)) as number[][][])), invalid, 'x[2][1][9]', ['NaN']),
  bad('shape of two numbers', base([12, 240]), invalid, 'shape', ['shape']),
  bad('shape with a zero', base([12, 3, 0]), invalid, 'shape[2]', ['0', '1']),
  bad('shape that contradicts nested lists', createBody({ shape: [12, 3, 81] }), invalid, 'shape', ['12 × 3 × 81', '12 × 3 × 80'], { fix: { shape: [12, 3, 80] } }),
  bad('units unknown', createBody({ units: 'unknown' }), 'UNITS_REQUIRED', 'units', ['"unknown"', 'uV'], { fix: { units: 'uV' } }),
  bad('units normalized', createBody({ units: 'normalized' }), 'UNITS_REQUIRED', 'units', ['"normalized"'], { fix: { units: 'uV' } }),
  bad('units unitless', createBody({ units: 'unitless' }), 'UNITS_REQUIRED', 'units', ['"unitless"'], { fix: { units: 'uV' } }),
  bad('units volts', createBody({ units: 'volts' }), 'UNITS_REQUIRED', 'units', ['"volts"'], { fix: { units: 'V' } }),
  bad('no units', createBody({ units: undefined }), invalid, 'units', ['"uV"'], { fix: { units: 'uV' } }),
  bad('a rate of zero', createBody({ sampling_rate_hz: 0 }), invalid, 'sampling_rate_hz', ['0', '1']),
  bad('a negative rate', createBody({ sampling_rate_hz: -250 }), invalid, 'sampling_rate_hz', ['-250']),
  bad('a rate as text', createBody({ sampling_rate_hz: '100' }), invalid, 'sampling_rate_hz', ['"100"'], { fix: { sampling_rate_hz: 100 } }),
  bad('a channel too few', createBody({ channels: ['C3', 'Cz'] }), invalid, 'channels', ['2 names', '3 rows']),
  bad('a channel that is no electrode', createBody({ channels: ['C3', 'Cz', 'EOG'] }), invalid, 'channels[2]', ['EOG', 'eye']),
  bad('a reference', createBody({ channels: ['C3', 'Cz', 'A1'] }), invalid, 'channels[2]', ['A1', 'reference']),
  bad('a bipolar pair', createBody({ channels: ['Fp1-F7', 'Cz', 'C4'] }), invalid, 'channels[0]', ['Fp1-F7', 're-reference']),
  bad('a cap position', createBody({ channels: ['A12', 'Cz', 'C4'] }), invalid, 'channels[0]', ['A12', 'cap-position']),
  bad('a prefix and a suffix', createBody({ channels: ['EEG Fpz-REF', 'Cz', 'C4'] }), invalid, 'channels[0]', ['EEG Fpz-REF', '`Fpz`'], { fix: { channels: ['Fpz', 'Cz', 'C4'] } }),
  bad('a typing error', createBody({ channels: ['C3', 'Cz', 'P07'] }), invalid, 'channels[2]', ['P07', 'not a 10-20']),
  bad('an electrode twice', createBody({ channels: ['C3', 'Cz', 'C3'] }), invalid, 'channels[2]', ['C3', 'rows 0 and 2']),
  bad('T3 beside T7', createBody({ channels: ['T3', 'Cz', 'T7'] }), invalid, 'channels[2]', ['`T3` and `T7`', 'rows 0 and 2']),
  bad('channels as text', createBody({ channels: 'C3,Cz,C4' }), invalid, 'channels', ['array']),
  bad('a label too few', createBody({ labels: labels.slice(1) }), invalid, 'labels', ['11 entries', '12 trials']),
  bad('an empty label', createBody({ labels: twelve((trial) => (trial === 4 ? '' : labels[trial])) }), invalid, 'labels[4]', ['0 characters']),
  bad('a label that is a number', createBody({ labels: [1, ...labels.slice(1)] }), invalid, 'labels[0]', ['number 1']),
  bad('one class', createBody({ labels: twelve(() => 'left') }), 'TOO_FEW_TRIALS', 'labels', ['1 class', '"left" has 12']),
  bad('four trials in a class', createBody({ labels: twelve((trial) => (trial < 4 ? 'left' : 'right')) }), 'TOO_FEW_TRIALS', 'labels', ['"left" has 4', '5']),
  bad('sessions too short', createBody({ sessions: ['a', 'b'] }), invalid, 'sessions', ['2 entries', '12 trials']),
  bad('session against sessions', createBody({ session: 'a', sessions: twelve(() => 'b') }), invalid, 'session', ['"b"']),
  bad('a context too short', createBody({ normalization_context: { session_id: ['a'] } }), invalid, 'normalization_context.session_id', ['1 entry', '12 trials']),
  bad('positions for two of three channels', createBody({ positions: [[0, 0, 0.1], [0, 0.1, 0]] }), invalid, 'positions', ['2 entries', 'channels has 3']),
  bad('positions in millimetres', createBody({ positions: channels.map((_, at) => [10 * at, 20, 90]) }), invalid, 'positions[0]', ['millimetres'], { fix: { positions: channels.map((_, at) => [(10 * at) / 1000, 0.02, 0.09]) } }),
  bad('a frame that is not known', createBody({ position_frame: 'talairach' }), invalid, 'position_frame', ['"head"', '"mni"']),
  bad('missing_channels that is not known', createBody({ missing_channels: 'zero' }), invalid, 'missing_channels', ['"nearest"']),
  bad('a stride of zero', createBody({ stride_seconds: 0 }), invalid, 'stride_seconds', ['0']),
  bad('parameters that are not empty', createBody({ parameters: { depth: 3 } }), invalid, 'parameters.depth', ['`priors` and `baseline_seconds`'], { fix: { parameters: {} } }),
  bad('a description of 101 characters', createBody({ description: 'ä'.repeat(101) }), invalid, 'description', ['101', '100']),
  bad('a model field', createBody({ model: 'large' }), invalid, 'model', ['no parameter'], { fix: { model: null } }),
  bad('a field under another name', createBody({ sampling_rate_hz: undefined, sfreq: 100 }), invalid, 'sfreq', ['`sampling_rate_hz`'], { fix: { sfreq: null, sampling_rate_hz: 100 }, fields: ['sfreq', 'sampling_rate_hz'] }),
  bad('a misspelt field', createBody({ sesions: null }), invalid, 'sesions', ['`sessions`'], { fix: { sesions: null } }),
  bad('an expiry in the past', createBody({ expires_at: '2020-01-01' }), invalid, 'expires_at', ['2020-01-01', 'future']),
  bad('both expiry fields', createBody({ expires_at: '2999-01-01', expires_in_days: 3 }), invalid, 'expires_in_days', ['2999-01-01', '3']),
  bad('more than 4,096 trials', createBody({ x: nested(4100, 3, 2), labels: Array.from({ length: 4100 }, (_, t) => String(t % 2)) }), invalid, 'x', ['4,100', '4,096'], { fields: ['x', 'labels'] }),
  bad('more than 4,000,000 numbers as sent', base([8, 1000, 501], 'AAAA'), 'PAYLOAD_TOO_LARGE', 'x', ['8 × 1,000 × 501', '4,008,000', '4,000,000'], { fields: undefined }),
  bad('four things at once', createBody({ units: 'foo', channels: ['C3', 'Cz', 'ECG'], sampling_rate_hz: -1, model: 'x' }), invalid, 'model', ['3 more'], { fields: ['model', 'sampling_rate_hz', 'units', 'channels[2]'] }),
];
