import { asFailure } from '../fetch.ts';
import { failureWords } from '../ui/failure-words.ts';
import { toast } from '../ui/toasts.tsx';
import { deletesInFlight } from './deletes-in-flight.ts';
import { clearLabellings } from './label/history.ts';
import { forget } from './remembered.ts';
import type { TaskModelAnswer } from './response-types.ts';
import { deleteModel } from './service.ts';

const undoMs = 10_000;

interface Pending {
  readonly model: TaskModelAnswer;
  readonly timer: ReturnType<typeof setTimeout>;
  isSent: boolean;
}

const pending = new Map<string, Pending>();
const listeners = new Set<() => void>();
const changed = (): void => listeners.forEach((listener) => listener());

/** Models whose delete waits for its ten seconds, or is running. */
export const isBeingDeleted = (id: string): boolean => pending.has(id);

/** Calls `listener` when a delete is taken back or has ended. Returns the function that stops it. */
export function onDeletes(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

async function send(own: Pending): Promise<void> {
  const { model, timer } = own;
  clearTimeout(timer);
  if (own.isSent) return;
  own.isSent = true;
  deletesInFlight.add(model.id);
  try {
    await deleteModel(model);
    forget(model.id);
    clearLabellings(model.id);
  } catch (error) {
    const failure = asFailure(error);
    toast(`The model is not deleted. ${failureWords(failure)?.words ?? failure.message}`);
  } finally {
    deletesInFlight.remove(model.id);
    pending.delete(model.id);
    changed();
  }
}

/** Deletes a model in ten seconds, or when the page is left. Until then the person can take it back. */
export function deleteSoon(model: TaskModelAnswer): void {
  const own: Pending = { model, timer: setTimeout(() => void send(own), undoMs), isSent: false };
  pending.set(model.id, own);
  toast(`${model.name ?? model.description} is deleted.`, {
    ms: undoMs,
    action: {
      words: 'Undo',
      onClick: () => {
        clearTimeout(own.timer);
        pending.delete(model.id);
        changed();
      },
    },
  });
}

addEventListener('pagehide', () => [...pending.values()].forEach((each) => void send(each)));
