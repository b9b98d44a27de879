import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';

/** Bytes of a prediction list without its `data`: up to 1,024 channel names twice, and warnings. */
const restBytes = 512 * 1024;

/** Longest JSON text of a number between 0 and 1, with its colon and comma. */
const numberBytes = '0.00000012345678901234567'.length + 2;

const bytesOf = (name: string): number => Buffer.byteLength(JSON.stringify(name));

/** Upper bound of one trial's bytes in a prediction list: every class once, and the longest class as the label. */
function bytesPerTrial(classes: readonly string[]): number {
  const names = classes.map(bytesOf);
  const frame = `{"object":"classification","index":${limits.windowsPerRequest},"label":,"probabilities":{}},`.length;
  return frame + Math.max(...names) + names.reduce((sum, bytes) => sum + bytes + numberBytes, 0);
}

/**
 * Upper bound of the bytes of a prediction list. Throws PAYLOAD_TOO_LARGE, with the largest possible number of trials,
 * if the list could exceed the limit of answers.
 */
export function requireAnswerable(trials: number, classes: readonly string[]): number {
  const each = bytesPerTrial(classes);
  const bytes = restBytes + trials * each;
  if (bytes <= limits.answerBytes) return bytes;
  const fitting = Math.floor((limits.answerBytes - restBytes) / each);
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The answer to ${trials} trials with ${classes.length} classes could have ${bytes} bytes; at most ` +
      `${limits.answerBytes} are answered. Send at most ${fitting} trials in one request.`,
    { field: 'x', details: { trials_that_fit: fitting } },
  );
}
