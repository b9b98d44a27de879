import { describe, expect, it } from 'vitest';
import { errorBody, ApiError } from '../../infra/contract/errors.ts';
import { asyncPreferenceOf } from '../../api/http/prefer.ts';
import { intake } from '../../api/intake/intake.ts';
import { matchTask } from '../../api/intake/match-task.ts';
import { headPositionOf } from '../../ml/channels/index.ts';
import { jobIdOf, publicJobId } from '../../infra/contract/job-id.ts';
import { bytesOf, channels, createBody } from '../support/requests.ts';

const read = (body: object, what: 'create' | 'batch' | 'predict' = 'create') => intake(bytesOf(body), what);
const refused = (body: object) => {
  const result = read(body);
  if (result.ok) throw new Error('the body was accepted');
  return result.error;
};
const accepted = (body: object, what: 'create' | 'batch' | 'predict' = 'create') => {
  const result = read(body, what);
  if (!result.ok) throw new Error(result.error.message);
  return result;
};
const zeroShot = {
  mode: 'zero_shot',
  description: 'eyes closed or open',
  channels: ['O1', 'O2'],
  sampling_rate_hz: 250,
  trial_seconds: 4,
};

describe('a zero-shot request', () => {
  it('is refused for its `classes`, which it has in place of labels', () => {
    const match = () =>
      matchTask({
        description: 'two classes',
        classes: ['happy', 'sad'],
        shape: { channelNames: ['O1'], seconds: 4, sourceRateHz: 250 },
      });
    expect(match).toThrow(expect.objectContaining({ code: 'TASK_UNSUPPORTED', field: 'classes' }));
    expect(match).toThrow(/in the classes/);
  });

  it('names the classes that it holds twice, and is offered each once', () => {
    const { field, message, alternatives } = refused({ ...zeroShot, classes: ['open', 'closed', 'open'] });
    expect([field, alternatives]).toEqual(['classes', [{ classes: ['open', 'closed'] }]]);
    expect(message).toContain('"open" more than once');
  });
});

describe('null', () => {
  it('in an optional field of a POST body means absent', () => {
    const optional = ['mode', 'position_frame', 'parameters', 'missing_channels', 'defer_fit', 'dry_run', 'expires_at'];
    const nothing = Object.fromEntries(optional.map((field) => [field, null]));
    expect(accepted(createBody(nothing)).envelope).toEqual(accepted(createBody()).envelope);
    const { description: _description, labels: _labels, ...trials } = createBody();
    expect(accepted({ ...trials, align: null }, 'predict').envelope).toEqual(accepted(trials, 'predict').envelope);
    expect(accepted({ ...zeroShot, dry_run: null, classes: null }).envelope).toEqual(accepted(zeroShot).envelope);
  });

  it('in a required field is refused', () => {
    expect(refused(createBody({ description: null })).field).toBe('description');
  });
});

describe('what says nothing is refused, and what is doubtful warned of', () => {
  it.each([' ', '\t \u00a0'])('a description of %j', (description) => {
    expect(refused(createBody({ description })).message).toMatch(/description .*(blanks|invisible)/);
  });

  it('two electrodes at one place', () => {
    const positions = [
      [0.05, 0, 0.09],
      [0, 0, 0.12],
      [0.05, 0, 0.0905],
    ];
    const { field, message } = refused(createBody({ positions }));
    expect(field).toBe('positions[2]');
    expect(message).toContain('positions[0] and positions[2] are less than 1 mm apart');
  });

  it('positions far from their names', () => {
    const own = channels.map((name) => headPositionOf(name)!);
    const warnings = (positions: unknown) => accepted(createBody({ positions })).findings.map(({ check }) => check);
    expect(warnings(own)).not.toContain('positions');
    expect(warnings(own.toReversed())).toContain('positions');
    const [{ message }] = accepted(createBody({ positions: own.toReversed() })).findings.filter(
      ({ check }) => check === 'positions',
    );
    expect(message).toMatch(/2 of 3 `positions` are more than 60 mm .*C3 by \d+ mm, C4 by \d+ mm/);
  });
});

it('an error without a part at fault has an empty field, and alternatives that are changes', () => {
  const { field, alternatives, message } = errorBody(
    new ApiError('INSUFFICIENT_CREDIT', 'Too little.', { advice: ['Ask the operator.'] }),
    'req_1',
  );
  expect([field, alternatives, message]).toEqual(['', [], 'Too little. Ask the operator.']);
});

describe('Prefer (RFC 7240)', () => {
  const of = (prefer?: string) => asyncPreferenceOf({ headers: prefer === undefined ? {} : { prefer } });
  it.each([
    [undefined, null],
    ['return=minimal', null],
    ['respond-async', [0, 'respond-async']],
    ['Respond-Async; foo=1, return=minimal', [0, 'respond-async']],
    ['wait=30, respond-async', [30, 'respond-async, wait=30']],
    ['respond-async, wait="7"', [7, 'respond-async, wait=7']],
    ['respond-async, wait=soon', [0, 'respond-async']],
    ['respond-async, wait=999999', [300, 'respond-async, wait=300']],
  ])('%j', (header, expected) => {
    const found = of(header);
    expect(found && [found.waitSeconds, found.applied]).toEqual(expected);
  });
});

it('the id of a job is its UUID in another form', () => {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  expect(publicJobId(id)).toBe('job_0f8fad5bd9cb469fa16570867728950e');
  expect([jobIdOf(publicJobId(id)), jobIdOf(id), jobIdOf('job_x')]).toEqual([id, null, null]);
});
