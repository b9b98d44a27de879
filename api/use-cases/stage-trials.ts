import type { ApiDeps } from '../deps.ts';
import type { IntakeAccepted } from '../threads/intake.ts';
import { createOf } from './create-input.ts';

/** Stores the trials of a create under `name`; their numbers are gone then. */
export function stageTrials(
  { threads }: Pick<ApiDeps, 'threads'>,
  accountId: string,
  intake: IntakeAccepted,
  name: string,
): Promise<void> {
  const { trials, sessions, contexts: recordings, links } = intake;
  const {
    labels,
    parameters: { priors },
  } = createOf(intake);
  return threads.stage(accountId, {
    name,
    trials: trials!,
    labels,
    sessions,
    recordings,
    ...(priors && { priors }),
    ...(links !== undefined && { links }),
  });
}
