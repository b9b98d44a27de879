import type { z } from 'zod';
import type { predictionList } from '../../../../api/contract/responses.ts';
import { fingerprint } from '../file/pay-once.ts';
import type { Reader } from '../file/reader.ts';
import { sendWithRetries } from '../file/send-with-retries.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import type { LabelPlan } from './parts.ts';

type PredictionAnswer = z.output<typeof predictionList>;

/** The answer for one trial, as the API gave it. */
export type LabelledTrial = Pick<PredictionAnswer['data'][number], 'label' | 'probabilities'>;

/** Answers so far. After a failure the same object continues with the first part that has no answer. */
export interface LabelAnswers {
  readonly trials: LabelledTrial[];
  /** Parts that were answered. */
  parts: number;
  /** Billed windows. A repeated request is not billed again. */
  windows: number;
}

export const noAnswers = (): LabelAnswers => ({ trials: [], parts: 0, windows: 0 });

/**
 * Labels the planned trials, part by part. The Idempotency-Key of a part comes from the model and the trials, so the
 * same trials are paid once, also after a reload. Throws a Failure; `answers` then has what was answered.
 */
export async function sendLabels(
  reader: Pick<Reader, 'labelBody'>,
  { id, test }: Pick<TaskModelAnswer, 'id' | 'test'>,
  { parts }: Pick<LabelPlan, 'parts'>,
  answers: LabelAnswers,
  onPart: () => void,
): Promise<void> {
  while (answers.parts < parts.length) {
    const body = await reader.labelBody(answers.parts);
    const key = `label-${await fingerprint(`${id} ${body}`)}`;
    const { body: answer, headers } = await sendWithRetries<PredictionAnswer>(
      `/${id}/predictions`,
      { 'x-key-mode': test ? 'test' : 'live', 'idempotency-key': key },
      body,
    );
    for (const { label, probabilities } of answer.data) answers.trials.push({ label, probabilities });
    if (headers.get('idempotent-replayed') === null) answers.windows += answer.cost.windows;
    answers.parts++;
    onPart();
  }
}
