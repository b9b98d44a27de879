import { runs } from './counts.ts';
import { createBody } from './requests.ts';

/** A body that is small to send and costly to read, and what is answered. */
export interface HostileBody {
  readonly name: string;
  readonly body: Buffer;
  readonly code: string;
  readonly field: string;
  /** In the message. */
  readonly says: string;
}

const filled = (start: string, unit: string, bytes: number, end: string): Buffer => {
  const times = Math.floor((bytes - start.length - end.length) / unit.length);
  return Buffer.concat([Buffer.from(start), Buffer.alloc(times * unit.length, unit), Buffer.from(end)]);
};

/** The fields of a valid create without those named, as the open beginning of a JSON object. */
const without = (...fields: string[]): string => {
  const body = createBody({ dry_run: true });
  for (const field of fields) delete body[field];
  return `${JSON.stringify(body).slice(0, -1)},`;
};

const zeroShot =
  '{"mode":"zero_shot","description":"eyes closed or open","channels":["O1","O2"],"sampling_rate_hz":250,' +
  '"trial_seconds":4,"reference_classes":';

const text = (length: number): string => 'word '.repeat(length / 5);
const listOf = (item: string, count: number): string => Array.from({ length: count }, () => item).join(',');

/** Bodies of about `bytes` bytes each, made when asked for. */
export const hostileBodies: readonly { name: string; make: (bytes: number) => HostileBody }[] = (
  [
    [
      'an unterminated text of escaped quotes',
      'description',
      'bytes; at most 100 characters',
      (n) => filled('{"description":"', '\\"', n, ''),
    ],
    [
      'a list of texts of escaped quotes, the last unterminated',
      'body',
      'not JSON',
      (n) => filled('{"labels":[NaN,', `"${'\\"'.repeat(8_000)}",`, n, `"${'\\"'.repeat(8_000)}`),
    ],
    [
      'one long description',
      'description',
      'bytes; at most 100 characters',
      (n) => filled(`${without('description')}"description":"`, 'word ', n, '"}'),
    ],
    ['empty trials', 'x', 'trials', (n) => filled(`${without('x')}"x":[`, '[],', n, '[]]}')],
    ['empty rows', 'x', 'entries in its rows', (n) => filled(`${without('x')}"x":[[`, '[],', n, '[]]]}')],
    ['numbers two deep', 'x', 'rows in its trials', (n) => filled(`${without('x')}"x":[[`, '1,', n, '1]]}')],
    ['numbers three deep', 'x', 'entries in its rows', (n) => filled(`${without('x')}"x":[[[`, '1,', n, '1]]]}')],
    ['bare NaN three deep', 'x', 'entries in its rows', (n) => filled(`${without('x')}"x":[[[`, 'NaN,', n, 'NaN]]]}')],
    [
      'empty lists among the labels',
      'labels',
      'values',
      (n) => filled(`${without('labels')}"labels":[`, '[],', n, '[]]}'),
    ],
    ['fields of other names', 'body', 'fields', (n) => filled(without(), '"a":1,', n, '"b":1}')],
    ['a name of a field that does not end', 'body', 'a field whose name has', (n) => filled('{"', 'word ', n, '')],
    ['lists nested in x', 'x', 'deep', (n) => filled(`${without('x')}"x":`, '[', n, '')],
    [
      'objects nested in a field',
      'parameters',
      'deep',
      (n) => filled(`${without('parameters')}"parameters":`, '{"a":', n, ''),
    ],
    ['lists nested in nothing', 'body', 'deep', (n) => filled('', '[', n, '')],
    [
      'base64 of too many numbers',
      'x',
      'float32 values in base64',
      (n) => filled(`${without('x')}"x":"`, 'AAAA', Math.max(n, 45_000_000), '"}'),
    ],
    [
      'a number of many digits',
      'sampling_rate_hz',
      'number',
      (n) => filled(`${without('sampling_rate_hz')}"sampling_rate_hz":`, '1', n, '}'),
    ],
    [
      'labels of long texts',
      'labels',
      'characters',
      (n) => filled(`${without('labels')}"labels":[`, `"${text(15_000)}",`, n, '"a"]}'),
    ],
    [
      'a mapping of many classes',
      'reference_classes',
      'values',
      (n) => filled(`${zeroShot}{`, '"class":"rest",', n, '"a":"b"}}'),
    ],
    [
      'long texts in place of a mapping',
      'reference_classes',
      'must be',
      (n) => filled(`${zeroShot}[`, `"${text(15_000)}",`, n, '"a"]}'),
    ],
    [
      'a mapping to lists of long texts',
      'reference_classes',
      'characters',
      (n) => filled(`${zeroShot}{"a":[`, `"${text(15_000)}",`, n, '"a"]}}'),
    ],
  ] satisfies [string, string, string, (bytes: number) => Buffer][]
).map(([name, field, says, make]) => ({
  name,
  make: (bytes) => {
    const large = field === 'x' && /rows$|base64/.test(says);
    return { name, body: make(bytes), code: large ? 'PAYLOAD_TOO_LARGE' : 'INVALID_REQUEST', field, says };
  },
}));

/** Nearly as many values as are read at all; a quarter of them in `npm test`. */
const values = runs(975_000, 3_900_000);

/** As many values as are read: NaN, rows, and lists of names at their limits. */
export const largestReadable: readonly { name: string; make: () => Buffer }[] = [
  { name: 'millions of bare NaN', make: () => Buffer.from(`${without('x')}"x":[[[${listOf('NaN', values)}]]]}`) },
  { name: 'millions of rows', make: () => Buffer.from(`${without('x')}"x":[[${listOf('[0]', values)}]]}`) },
  {
    name: 'lists of 4,096 distinct names of 200 characters',
    make: () => {
      const names = Array.from({ length: 4_096 }, (_, at) => `${at} ${'名'.repeat(190)}`);
      return Buffer.from(
        JSON.stringify(
          createBody({
            dry_run: true,
            defer_fit: true,
            x: Buffer.alloc(4_096 * 3 * 4).toString('base64'),
            shape: [4_096, 3, 1],
            labels: names,
            sessions: names,
            normalization_context: { dataset_id: names, subject_uid: names, session_id: names },
          }),
        ),
      );
    },
  },
];
