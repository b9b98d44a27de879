import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { limits } from '../../../infra/contract/limits.ts';
import type { ReferenceShape } from '../../../ml/reference-fits/types.ts';
import type { ZeroShotRequest } from '../../contract/requests.ts';
import type { ApiDeps } from '../../deps.ts';
import type { RequestContext } from '../../http/request.ts';
import { expiryOf, expiryWarnings } from '../../intake/expiry.ts';
import type { IntakeAccepted } from '../../intake/intake.ts';
import { findTarget, type Found } from './find-target.ts';

/** A request without trials whose task is in the catalogue. */
export interface ZeroShotInput extends Found {
  readonly context: RequestContext;
  readonly envelope: ZeroShotRequest;
  readonly shape: ReferenceShape;
  /** Names that were replaced by their synonym (T3 → T7). */
  readonly renamed: Readonly<Record<string, string>>;
  readonly expiresAt: Date | null;
  readonly warnings: readonly string[];
}

/**
 * Throws INVALID_REQUEST if no request could contain even one trial for the model, at the sent rate or at the working
 * rate.
 */
function requireSendable({ channelNames, seconds, sourceRateHz }: ReferenceShape): void {
  const rateHz = Math.max(sourceRateHz, limits.workingRateHz);
  const numbers = channelNames.length * Math.ceil(rateHz * seconds);
  if (numbers <= limits.numbersPerRequest) return;
  throw invalidField(
    'trial_seconds',
    `One trial of ${seconds} s from ${channelNames.length} channels has ${numbers} numbers at ${rateHz} Hz; a request ` +
      `holds at most ${limits.numbersPerRequest}, so that nothing could be predicted.`,
    [Math.floor((limits.numbersPerRequest / (rateHz * channelNames.length)) * 100) / 100],
  );
}

/** Finds the reference recordings of the task; see `findTarget` for its errors. */
export async function readZeroShotTask(
  deps: Pick<ApiDeps, 'threads'>,
  context: RequestContext,
  intake: IntakeAccepted,
): Promise<ZeroShotInput> {
  const envelope = intake.envelope as ZeroShotRequest;
  const { caller } = context;
  const { sampling_rate_hz: sourceRateHz, trial_seconds: seconds, channels } = envelope;
  const shape = { channelNames: intake.channelNames, seconds, sourceRateHz };
  const found = await findTarget(deps, caller.accountId, envelope, shape);
  requireSendable(shape);
  return {
    ...found,
    context,
    envelope,
    shape,
    renamed: Object.fromEntries(
      channels.flatMap((name, at) => (name === intake.channelNames[at] ? [] : [[name, intake.channelNames[at]]])),
    ),
    expiresAt: expiryOf(envelope, caller.at),
    warnings: expiryWarnings(envelope.expires_at),
  };
}
