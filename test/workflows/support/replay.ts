import { readdir, readFile } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import { historyFromText } from './history-file.ts';

/** The part of a history that has the id of its workflow, from which ids of children are made. */
interface HistoryOfRun {
  readonly events: readonly { readonly workflowExecutionStartedEventAttributes?: { readonly workflowId?: string } }[];
}

const folder = new URL('../histories/', import.meta.url);

/** Names of the recorded histories. */
export const historyNames = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();

export const historyOf = async (name: string): Promise<HistoryOfRun> =>
  historyFromText(await readFile(new URL(name, folder), 'utf8')) as HistoryOfRun;

/** Replays a recorded history under its own workflow id; rejects where the code takes other steps. */
export async function replay(workflowBundle: { readonly codePath: string }, name: string): Promise<void> {
  const history = await historyOf(name);
  const id = history.events[0]!.workflowExecutionStartedEventAttributes?.workflowId ?? undefined;
  await Worker.runReplayHistory({ workflowBundle }, history, id);
}
