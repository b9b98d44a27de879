import { describe, expect, it } from 'vitest';
import { listQuery, patchRequest } from '../../api/contract/requests.ts';
import { readFields } from '../../api/http/body.ts';
import { intake } from '../../api/threads/intake.ts';
import type { ApiError } from '../../infra/contract/errors.ts';
import { mendableBodies, type MendableBody } from '../support/mendable-bodies.ts';
import { applyAlternative, bytesOf } from '../support/requests.ts';

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
      const { field, alternatives, message } = refused(body, what);
      expect(alternatives, message).not.toHaveLength(0);
      const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
      expect(accepted(applyAlternative(sent, field, alternatives[0]), what)).toEqual(accepted(meant!, what));
    },
  );

  it.each(mendableBodies.filter(({ meant }) => meant === null))(
    'is not asked for by $name ($what)',
    ({ body, what }) => {
      expect(refused(body, what).alternatives).toEqual([]);
    },
  );
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
    [{ limit: '101' }, ['100']],
    [{ limit: '0' }, []],
    [{ limit: '-5' }, []],
    [{ limit: 'many' }, []],
    [{ before: 'clf_1' }, []],
    [{ Limit: '5' }, [{ Limit: null, limit: '5' }]],
  ])('the query %j is offered %j', (fields, offered) => {
    expect(error(listQuery, fields).alternatives).toEqual(offered);
  });

  it.each([
    [{ expires_at: 'soon' }, []],
    [{ expires_at: '2999-01-31 12:00' }, ['2999-01-31T12:00']],
    [{ title: 'mine' }, [{ title: null, name: 'mine' }]],
    [{ name: 5 }, ['5']],
    [{ name: 'n'.repeat(201) }, []],
    [{ dry_run: true, name: 'mine' }, []],
  ])('the change %j is offered %j', (fields, offered) => {
    expect(error(patchRequest, fields).alternatives).toEqual(offered);
  });
});
