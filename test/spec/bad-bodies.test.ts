import { describe, expect, it } from 'vitest';
import { intake } from '../../api/intake/intake.ts';
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
    expect(error.alternatives[0]).toEqual(fix);
  });

  it.each(badBodies.filter(({ fix }) => fix !== undefined))(
    'with $name succeeds when the first alternative is applied',
    ({ body }) => {
      const read = intake(bytesOf(body), 'create');
      if (read.ok) throw new Error('the body was accepted');
      const sent = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
      const again = intake(bytesOf(applyAlternative(sent, read.error.alternatives[0])), 'create');
      expect(again.ok ? null : again.error).toBeNull();
    },
  );
});
