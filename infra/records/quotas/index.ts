export { answersFull, endedAnswers, forgetEndedAnswers, removeAnswersOf } from './stored-answers.ts';
export { requireRoom } from './require-room.ts';
export type { Wants } from './require-room.ts';
export { takeTestCreate } from './test-creates.ts';
export { quotaUses, usesOf, usesRow } from './uses.ts';
export type { UsesRow } from './uses.ts';
