import { describe, expect, it } from 'vitest';
import { intake } from '../../api/intake/intake.ts';
import { quoted } from '../../infra/contract/quote.ts';
import { unseenIn, withoutUnseen } from '../../infra/contract/unseen.ts';
import { bytesOf, createBody, labels } from '../support/requests.ts';

const read = (body: Record<string, unknown>) => intake(bytesOf(createBody(body)), 'create');
const refused = (body: Record<string, unknown>) => {
  const result = read(body);
  if (result.ok) throw new Error('the body was accepted');
  return result.error;
};
const accepted = (body: Record<string, unknown>) => {
  const result = read(body);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result;
};

describe('invisible characters', () => {
  it.each([
    ['rest\u200b', 'U+200B (zero width space)', 5],
    ['a\u202ebc', 'U+202E (right-to-left override)', 2],
    ['\u2067left', 'U+2067 (right-to-left isolate)', 1],
    ['le\u00adft', 'U+00AD (soft hyphen)', 3],
    ['left\ufeff', 'U+FEFF (zero width no-break space)', 5],
    ['😀\u200d', 'U+200D (zero width joiner)', 2],
    ['a\u200db', 'U+200D (zero width joiner)', 2],
    ['a\tb', 'U+0009 (tab)', 2],
    ['\u3164', 'U+3164 (Hangul filler)', 1],
    ['x\ud800', 'U+D800 (half of a surrogate pair)', 2],
    ['葛\u{e0100}', 'U+E0100 (a variation selector)', 2],
    ['1\ufe0f', 'U+FE0F (variation selector-16)', 2],
    ['a\u{e0041}', 'U+E0041 (an invisible character)', 2],
  ])('are named with their code point and place: %j', (text, shown, place) => {
    expect(unseenIn(text)).toEqual({ shown, place });
  });

  it.each(['👨‍👩‍👧', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈', 'می‌خواهم', 'ශ්‍රී', 'क्‍ष', 'é', 'linke Hand', '左手', 'שמאל', '🇩🇪'])(
    'do not include those that an emoji or a script needs: %s',
    (text) => {
      expect(unseenIn(text)).toBeNull();
      expect(withoutUnseen(text)).toBe(text);
    },
  );

  it.each([
    ['labels', { labels: labels.map((label, trial) => (trial === 4 ? `${label}\u200b` : label)) }, 'labels[4]'],
    ['sessions', { sessions: labels.map(() => 's\u200e1') }, 'sessions'],
    ['a session', { session: 's\u200e1' }, 'session'],
    ['the name', { name: 'my \u202emodel' }, 'name'],
    ['the description', { description: 'left \u2066or right hand' }, 'description'],
    ['a channel', { channels: ['C3', 'Cz\u200b', 'C4'] }, 'channels[1]'],
    [
      'a context',
      { normalization_context: { session_id: labels.map(() => 'a\u2060') } },
      'normalization_context.session_id',
    ],
  ])('are refused in %s, with field, code point and place', (_, change, field) => {
    const error = refused(change);
    expect([error.code, error.field]).toEqual(['INVALID_REQUEST', field]);
    expect(error.message).toMatch(/contains U\+20[0-9A-F]{2} \([a-z -]+\) at character \d/);
    expect(error.message).not.toMatch(/\p{Cf}/u);
  });

  it('are left out of the fix that is offered', () => {
    expect(refused({ name: 'my\u202e model' }).alternatives).toEqual([{ name: 'my model' }]);
  });

  it('are escaped where a message repeats a text', () => {
    expect(quoted('a\u202eb 👨‍👩‍👧')).toBe('"a\\u{202E}b 👨‍👩‍👧"');
  });
});

describe('letters with two encodings', () => {
  it('are one class, in form NFC, and a warning names it', () => {
    const mixed = labels.map((_, trial) => ['ruhé', 'rechts', 'ruhe\u0301', 'rechts'][trial % 4]);
    const { envelope, signal } = accepted({ labels: mixed });
    expect(new Set('labels' in envelope ? envelope.labels : [])).toEqual(new Set(['ruhé', 'rechts']));
    expect(signal!.warnings.join()).toMatch(/same label was sent in several Unicode forms.*"ruhé"/);
  });

  it('count as one class before it is said that a class has too few trials', () => {
    const five = labels.map((_, trial) => (trial < 6 ? 'right' : trial < 9 ? 'é' : 'e\u0301'));
    accepted({ labels: five });
    expect(refused({ labels: five, units: 'nV' }).details.errors.map(({ field }) => field)).toEqual(['units']);
  });

  it('are one name in every field', () => {
    const { envelope } = accepted({ name: 'e\u0301', description: 'e\u0301 or right', session: 'e\u0301' });
    expect(envelope).toMatchObject({ name: 'é', description: 'é or right', session: 'é' });
  });
});

describe('labels that look alike', () => {
  it.each([
    ['case', 'Rest', 'rest'],
    ['a blank at the end', 'rest', 'rest '],
    ['a blank inside', 'left hand', 'lefthand'],
    ['another blank', 'left hand', 'left\u00a0hand'],
    ['full width', 'ABC', 'ＡＢＣ'],
    ['a joiner', 'می‌خواهم', 'میخواهم'],
    ['a sharp s', 'Fuß', 'FUSS'],
  ])('by %s are named in a warning', (_, one, other) => {
    const { signal } = accepted({ labels: labels.map((_label, trial) => (trial % 2 ? one : other)) });
    expect(signal!.warnings.join()).toContain(`${quoted(other)} and ${quoted(one)} differ only in case or blanks`);
  });
});
