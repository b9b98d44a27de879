import { readFileSync } from 'node:fs';
import { errorTable, type ErrorCode } from '../../infra/contract/errors.ts';

/**
 * Answers of real requests: of each operation by status, and of each error code. `test/spec/answer-examples.test.ts`
 * sends the requests and writes the file (`UPDATE_EXAMPLES=1`).
 */
export interface AnswerExamples {
  readonly answers: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, object>>>>>>;
  readonly errors: Readonly<Partial<Record<ErrorCode, object>>>;
}

export const examplesFile = new URL('./answer-examples.json', import.meta.url);

let kept: AnswerExamples | null = null;
const stored = (): AnswerExamples => (kept ??= JSON.parse(readFileSync(examplesFile, 'utf8')) as AnswerExamples);

const named = (examples: Readonly<Record<string, object>>): Record<string, object> =>
  Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name.replaceAll(' ', '_'), { summary: name, value }]),
  );

/** Examples of one answer of an operation, by name. */
export const answerExamples = (operation: string, status: string): Record<string, object> =>
  named(stored().answers[operation]?.[status] ?? {});

/** One example for each error code, as components. */
export const errorExamples = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(stored().errors).map(([code, value]) => [
      code,
      { summary: errorTable[code as ErrorCode].meaning, value },
    ]),
  );
