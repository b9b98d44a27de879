import { zeroShotRequest, type ZeroShotRequest } from '../contract/requests.ts';
import type { ResolvedChannels } from '../../ml/channels/index.ts';
import { readChannels } from './channels.ts';
import { inFieldOrder, readFields } from './envelope.ts';
import { expiryProblems } from './expiry.ts';
import type { Problem } from './problems.ts';

export type ZeroShotRead =
  | { readonly ok: true; readonly envelope: ZeroShotRequest; readonly channels: ResolvedChannels }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a request without trials (spec, "Zero-shot request"): `mode` is `zero_shot`, no `x`, no `labels`. */
export function readZeroShot(body: Readonly<Record<string, unknown>>, now: Date): ZeroShotRead {
  const fields = readFields(zeroShotRequest, body);
  const given = Object.fromEntries(
    Object.keys(zeroShotRequest.shape).map((field) => [field, fields.valid(field)]),
  ) as Partial<ZeroShotRequest>;
  const channels = readChannels(given.channels, null);
  const problems = [...fields.problems, ...channels.problems, ...expiryProblems(given, now)];
  if (problems.length > 0 || !fields.value || !channels.resolved) {
    return { ok: false, problems: inFieldOrder(problems, Object.keys(zeroShotRequest.shape)) };
  }
  return { ok: true, envelope: fields.value, channels: channels.resolved };
}
