import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setWorkflowOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { FitReferenceWorkflow } from '../infra/contract/workflow-names.ts';
import { endsWithItsBuild } from './builds.ts';
import { messageOf } from './failures.ts';
import { referenceAttributesOf } from './search-attributes.ts';
import { learning, unlimitedRetries } from './timeouts.ts';

const { fitPeople } = proxyActivities<Activities>(learning);
const { giveUpPeopleFit } = proxyActivities<Activities>(unlimitedRetries);

/**
 * Fits a reference task's people for one shape of trials; workflow id = `referenceFitWorkflowId`. Always records a
 * final state.
 */
export const fitReference: FitReferenceWorkflow = async (request) => {
  const { key, set, version, task, classes, shape } = request;
  const about =
    `${set} ${version} · ${task}: ${classes.join(', ')}\n\n` +
    `${shape.channelNames.length} electrodes, ${shape.seconds} s at ${shape.sourceRateHz} Hz`;
  setCurrentDetails(`**running** · ${about}`);
  upsertSearchAttributes(referenceAttributesOf(set, 'running'));
  try {
    const { status, reason, evidence } = await fitPeople({ request });
    const said =
      evidence &&
      `Balanced accuracy ${evidence.balancedAccuracy.toFixed(3)} over ${evidence.people} people left out ` +
        `(${evidence.interval95.map((bound) => bound.toFixed(3)).join(' to ')}), chance ${evidence.chance.toFixed(3)}`;
    setCurrentDetails([`**${status}** · ${about}`, said, reason].filter(Boolean).join('\n\n'));
    upsertSearchAttributes(referenceAttributesOf(set, status));
  } catch (error) {
    const cancelled = isCancellation(error);
    const reason = cancelled ? 'The fit was cancelled by an operator.' : 'The fit failed on the service side.';
    setCurrentDetails(`**failed** · ${about}\n\n${reason} ${cancelled ? '' : messageOf(error)}`);
    upsertSearchAttributes(referenceAttributesOf(set, 'failed'));
    await CancellationScope.nonCancellable(() => giveUpPeopleFit({ key, reason }));
    if (cancelled) throw error;
  }
};

/** As for a fit of a task model. */
setWorkflowOptions(endsWithItsBuild, fitReference);
