import { createWorkspace } from '../methods/index.ts';
import type { Head, Workspace } from '../methods/index.ts';
import { leadingOf } from './opinion-pool.ts';
import { dataWithoutArtefacts } from './without-artefacts.ts';
import type { Choice, FittedModel, FittedPatterns, TrainingData } from './types.ts';

/** Most values of patterns in a report. */
const most = 16_384;

/**
 * Patterns of the chosen method, refitted on all trials (of a pool: of its best member). They describe the model and
 * are no evidence.
 */
export function patternsOf(
  choice: Choice,
  { head, mix, members = [] }: Pick<FittedModel, 'head' | 'mix' | 'members'>,
  data: TrainingData,
  workspace: Workspace = createWorkspace(),
): FittedPatterns {
  const method = leadingOf(choice);
  const { id, version, title } = method;
  const none = (reason: string): FittedPatterns => ({ method: { id, version, title }, patterns: null, reason });
  if (!method.patterns)
    return none(
      `Patterns are defined for methods that are linear in channel space: spatial filters, or weights of what each ` +
        `channel holds. ${title}: not of that form.`,
    );
  const own = mix
    ? (head['members'] as readonly Head[])[members.findIndex((each) => each.id === id && each.version === version)]
    : head;
  const patterns = method.patterns(own, dataWithoutArtefacts(data, workspace), workspace);
  if (!patterns) return none('The sources that its spatial filters pass depend on one another.');
  const numbers = patterns.components.reduce((sum, { values }) => sum + values.length, 0);
  return numbers > most
    ? none(`They would take ${numbers} numbers, and a report holds at most ${most}.`)
    : { method: { id, version, title }, patterns, reason: null };
}
