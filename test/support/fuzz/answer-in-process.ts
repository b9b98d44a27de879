import { readFields, parseSmallBody } from '../../../api/http/body.ts';
import { patchRequest, type CreateRequest } from '../../../api/contract/requests.ts';
import { intake, type IntakeAccepted } from '../../../api/intake/intake.ts';
import { planFit } from '../../../api/intake/plan-fit.ts';
import { countLabels } from '../../../infra/contract/class-counts.ts';
import { ApiError } from '../../../infra/contract/errors.ts';
import type { Kind } from './hostile-body.ts';

function plan({ envelope, trials, channelNames, signal }: IntakeAccepted): void {
  const { labels, description, missing_channels: missingChannels } = envelope as Omit<CreateRequest, 'x'>;
  planFit({
    description,
    trialsPerClass: Object.fromEntries(countLabels(labels)),
    channelNames,
    sourceRateHz: trials!.sourceRateHz,
    samples: trials!.samples,
    seconds: signal!.seconds_per_trial,
    sessions: 1,
    storedFeaturesOnly: false,
    missingChannels,
  });
}

/** What a thread makes of a body: its error as JSON, or nothing. Throws for a fault of the service. */
export function answerInProcess(kind: Kind, body: Uint8Array): string {
  try {
    if (kind === 'patch') {
      readFields(patchRequest, parseSmallBody(body, {}));
      return '';
    }
    const read = intake(body, kind);
    if (!read.ok) return JSON.stringify(read.error);
    if (kind === 'create' && read.trials) plan(read);
    return '';
  } catch (error) {
    if (error instanceof ApiError && error.status < 500)
      return JSON.stringify([error.message, error.field, error.alternatives, error.details]);
    throw error;
  }
}
