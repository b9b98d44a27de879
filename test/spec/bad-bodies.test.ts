import { describe, expect, it } from 'vitest';
import { intake } from '../../api/threads/intake.ts';
import { badBodies } from '../support/bad-bodies.ts';
import { applyAlternative, bytesOf } from '../support/requests.ts';

describe('a bad body', () => {
  it.each(badBodies)('with $name is answered with $code at $field', ({ body, code, field, says, fix, fields }) => {
    const read = intake(bytesOf(body), 'create');
    if (read.ok) throw new Error('the body was accepted');
    const { error } = read;
    expect([error.code, error.field]).toEqual([code, field]);
    for (const words of says) expect(error.message).toContain(words);
    expect(error.message.startsWith(error.details.errors[0].message)).toBe(true);
    if (fields) expect(new Set(error.details.errors.map((item) => item.field))).toEqual(new Set(fields));
    if (fix !== undefined) expect(error.alternatives[0]).toEqual(fix);
  });

  it.each(badBodies.filter(({ body }) => typeof body === 'object'))(
    'with $name succeeds when the first alternatives are applied',
    ({ body }) => {
      const read = intake(bytesOf(body), 'create');
      if (read.ok) throw new Error('the body was accepted');
      if (read.error.alternatives.length === 0 || read.error.details.errors.length > 2) return;
      const repaired = applyAlternative(
        JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
        read.error.field,
        read.error.alternatives[0],
      );
      const again = intake(bytesOf(repaired), 'create');
      expect(again.ok ? null : again.error).toBeNull();
    },
  );
});
