export { addBatch, batchesOf, classCountsOf } from './batches.ts';
export type { Batch, BatchNotes, NewBatch } from './batches.ts';
export { modelsHeld } from './held.ts';
export { hostingIsDue, payDueHosting, renewUnpaid } from './hosting.ts';
export { settleDue } from './lifecycle.ts';
export type { SettledModel } from './lifecycle.ts';
export {
  findModel,
  holdActive,
  insertCollecting,
  insertFitting,
  listModels,
  patchModel,
  readStored,
} from './models.ts';
export type { NewTaskModel, Page } from './models.ts';
export { lackingHere, lackingInService, needsInService, pinUses, unservableModels } from './pinned.ts';
export type { PinUse, UnservableModel } from './pinned.ts';
export { readProgress, recordProgress } from './progress.ts';
export type { CandidateProgress } from './progress.ts';
export type { StoredTaskModel } from './rows.ts';
export { activate, dropFitting, markCleaned, markDeleted, markExpired } from './transitions.ts';
export type { Activation } from './transitions.ts';
