import { readsFixedSites } from '../../ml/features/index.ts';
import { fillSites19, sites19 } from '../../ml/channels/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';

/**
 * `missing_channels: "reject"` at prediction: throws if the model uses 19 fixed sites and was fitted without some of
 * them.
 */
export function requireSites({
  featureSets,
  featureVersions,
  shape,
  method,
}: Pick<FittedModel, 'featureSets' | 'featureVersions' | 'shape' | 'method'>): void {
  if (!featureSets.some((id) => id.startsWith('sites19/') || readsFixedSites(id, featureVersions, shape))) return;
  const { exact } = fillSites19(shape.channelNames, undefined, 'reject');
  const missing = sites19.filter((site) => !exact.includes(site));
  if (missing.length === 0) return;
  throw invalidField(
    'missing_channels',
    `${method.title} was fitted with ${exact.length} of ${sites19.length} sites; ${missing.join(', ')} are not among its channels, and missing_channels "reject" borrows none; "nearest" takes the nearest electrode.`,
  );
}
