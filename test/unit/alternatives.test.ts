import { describe, expect, it } from 'vitest';
import { listQuery, patchRequest } from '../../api/contract/requests.ts';
import { readFields } from '../../api/http/body.ts';
import { intake } from '../../api/intake/intake.ts';
import type { ApiError } from '../../infra/contract/errors.ts';
import { mendableBodies, type MendableBody } from '../support/mendable-bodies.ts';
import { applyAlternative, bytesOf, createBody, nested } from '../support/requests.ts';

type Body = MendableBody['body'];
const now = new Date('2026-01-01T00:00:00Z');
const read = (body: Body, what: MendableBody['what']) => intake(bytesOf(body), what, now);

function refused(body: Body, what: MendableBody['what']) {
  const result = read(body, what);
  if (result.ok) throw new Error('the body was accepted');
  return result.error;
}

function accepted(body: Body, what: MendableBody['what']) {
  const result = read(body, what);
  if (!result.ok) throw new Error(result.error.message);
  const { hash: _hash, ...meaning } = result;
  return meaning;
}

describe('applying alternatives[0] literally', () => {
  it.each(mendableBodies.filter(({ meant }) => meant !== null))(
    'means what was meant by $name ($what)',
    ({ body, what, meant }) => {
      const { alternatives, message } = refused(body, what);
      expect(alternatives, message).not.toHaveLength(0);
      const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
      expect(accepted(applyAlternative(sent, alternatives[0]), what)).toEqual(accepted(meant!, what));
    },
  );

  it.each(mendableBodies.filter(({ meant }) => meant === null))(
    'is not asked for by $name ($what)',
    ({ body, what }) => {
      expect(refused(body, what).alternatives).toEqual([]);
    },
  );
});

describe('messages', () => {
  const message = (body: Body, what: MendableBody['what'] = 'create') => refused(body, what).message;

  it('name the number of a query, not the length of its text', () => {
    const words = (limit: string) => {
      try {
        readFields(listQuery, { limit });
      } catch (thrown) {
        return (thrown as ApiError).message;
      }
      return '';
    };
    expect([words('101'), words('0')]).toEqual([
      'limit is 101; at most 100 is allowed.',
      'limit is 0; at least 1 is needed.',
    ]);
  });

  it('name the bound of the field, once', () => {
    const { message: words, details } = refused(createBody({ expires_in_days: 1e20 }), 'create');
    expect(words).toBe('expires_in_days is 100000000000000000000; at most 3650 is allowed.');
    expect(details.errors).toHaveLength(1);
    expect(refused(createBody({ description: [] }), 'create').details.errors).toHaveLength(1);
  });

  it('name a small class that is a different spelling of another one', () => {
    const spelt = createBody().labels as string[];
    expect(message(createBody({ labels: ['Left', ...spelt.slice(1)] }))).toContain(
      '"Left" and "left" differ only in case or blanks: each spelling is a class.',
    );
    expect(message(createBody({ labels: spelt.map(() => 'left') }))).not.toContain('differ only');
  });

  it('of a zero-shot request are about its mode if only the mode is misspelt', () => {
    const zeroShot = {
      mode: 'Zero_Shot',
      description: 'eyes closed or open',
      channels: ['O1', 'O2'],
      sampling_rate_hz: 250,
      trial_seconds: 4,
    };
    const { field, alternatives, details } = refused(zeroShot, 'create');
    expect([field, alternatives, details.errors.length]).toEqual(['mode', [{ mode: 'zero_shot' }], 1]);
  });

  it('never offer a unit that would be refused', () => {
    for (const units of [null, 1, ['uV'], 'nV'])
      expect(message(createBody({ units }))).toMatch(/"uV", "mV" or "V"(?!.*unitless)/);
  });

  it('name the type of bytes that are not little-endian float32', () => {
    const values = nested().flat(2);
    const bytes = (width: number, write: (to: Buffer, value: number, at: number) => void) => {
      const to = Buffer.alloc(width * values.length);
      values.forEach((value, at) => write(to, value, width * at));
      return { x: to.toString('base64'), shape: [12, 3, 80] };
    };
    const swapped = bytes(4, (to, value, at) => void to.writeFloatBE(value, at));
    const counts = bytes(4, (to, value, at) => void to.writeInt32LE(Math.round(value * 100), at));
    const positive = bytes(4, (to, value, at) => void to.writeInt32LE(Math.round(value * 100) + 100_000, at));
    expect(message(createBody(swapped))).toContain('big-endian float32');
    expect(message(createBody(counts))).toContain('int32');
    expect(message(createBody(positive))).toContain('int32');
  });
});

describe('small requests', () => {
  const error = (schema: typeof listQuery | typeof patchRequest, fields: object): ApiError => {
    try {
      readFields(schema, fields);
    } catch (thrown) {
      return thrown as ApiError;
    }
    throw new Error('the fields were accepted');
  };

  it.each([
    [{ limit: '101' }, [{ limit: '100' }]],
    [{ limit: '0' }, []],
    [{ limit: '-5' }, []],
    [{ limit: 'many' }, []],
    [{ before: 'clf_1' }, []],
    [{ Limit: '5' }, [{ Limit: null, limit: '5' }]],
    [{ page: '2' }, []],
    [{ after: `clf_${'0'.repeat(32)}` }, []],
  ])('the query %j is offered %j', (fields, offered) => {
    expect(error(listQuery, fields).alternatives).toEqual(offered);
  });

  it.each([
    [{ expires_at: 'soon' }, []],
    [{ expires_at: '2999-01-31 12:00' }, [{ expires_at: '2999-01-31T12:00' }]],
    [{ title: 'mine' }, [{ title: null, name: 'mine' }]],
    [{ name: 5 }, [{ name: '5' }]],
    [{ name: 'n'.repeat(201) }, []],
    [{ dry_run: true, name: 'mine' }, []],
    [{ expires_in_days: 3 }, []],
    [{ status: 'deleted' }, []],
    [{ expires_at: '2999-01-31T12:00:00+0100' }, [{ expires_at: '2999-01-31T12:00:00+01:00' }]],
    [{ expires_at: '2999-01-31t12:00:00z' }, [{ expires_at: '2999-01-31T12:00:00Z' }]],
    [{ expires_at: '2999-01-31T12:00:00 +02' }, [{ expires_at: '2999-01-31T12:00:00+02:00' }]],
  ])('the change %j is offered %j', (fields, offered) => {
    expect(error(patchRequest, fields).alternatives).toEqual(offered);
  });
});

it.each(['constructor', 'toString', '__proto__'])('the boolean %j is not invented, and crosses threads', (word) => {
  const read = intake(bytesOf(createBody({ dry_run: word })), 'create');
  expect(read.ok).toBe(false);
  expect(structuredClone(read)).toEqual(read);
});
