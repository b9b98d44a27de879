import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Lifecycle } from '../activities/activities.ts';
import { searchAttributesOf } from './search-attributes.ts';

/** Keeps the details and search attributes of the model's workflow up to date. Writes only changes. */
export function createDescriber(modelId: string): (lifecycle: Lifecycle | null, doing: string | null) => void {
  let last = '';
  return (lifecycle, doing) => {
    setCurrentDetails(detailsOf(modelId, lifecycle, doing));
    if (!lifecycle) return;
    const attributes = searchAttributesOf(lifecycle);
    const text = JSON.stringify(attributes.map(({ value }) => value));
    if (text !== last) upsertSearchAttributes(attributes);
    last = text;
  };
}

function detailsOf(modelId: string, lifecycle: Lifecycle | null, doing: string | null): string {
  if (!lifecycle) return `**${modelId}** is not in the database: nothing to do.`;
  const { status, mode, taskKind, due, notes } = lifecycle;
  const lines = [`**${status}** · ${taskKind} · ${mode} key`, ...(doing ? [doing] : []), ...notes];
  if (due) lines.push(`Next: ${due.what}, ${new Date(due.at).toISOString()}`);
  return lines.join('\n\n');
}
