import type { CataloguedModel } from './schema.ts';

/** State of a model's weights file on this machine: usable, unusable, or missing. */
export type WeightsFile = 'whole' | 'damaged' | 'absent';

export type AvailabilityStatus = 'ready' | 'forbidden' | 'unusable' | 'off' | 'not_installed';

/** Availability of a model as a candidate. The reason continues the text "not tried: ". */
export type Availability =
  | { readonly status: 'ready'; readonly reason: null }
  | { readonly status: Exclude<AvailabilityStatus, 'ready'>; readonly reason: string };

/** True if a hash of its file is published, so that another file can be detected. */
export const isPinned = ({ file }: Pick<CataloguedModel, 'file'>): boolean =>
  file.sha256 !== null || file.gitBlob !== null;

/** Ids in MODELS_ENABLED; null: the defaults of the catalogue. */
export type Enabled = readonly string[] | null;

/** True if a model is switched on, by MODELS_ENABLED or else by the catalogue. */
const isSwitchedOn = ({ id, enabled }: Pick<CataloguedModel, 'id' | 'enabled'>, named: Enabled): boolean =>
  named === null ? enabled : named.includes(id);

/**
 * Availability of a model. A forbidding licence or a missing hash makes it unavailable, even if it is switched on and
 * its weights are installed.
 */
export function availabilityOf(
  model: CataloguedModel,
  { enabled, file }: { enabled: Enabled; file: WeightsFile },
): Availability {
  const { licence, whyOff } = model;
  if (!licence.hostedUse)
    return { status: 'forbidden', reason: `its licence forbids it: ${licence.why ?? licence.name}` };
  if (!isPinned(model)) return { status: 'unusable', reason: 'no hash of its weights is published' };
  if (!isSwitchedOn(model, enabled)) {
    const why = enabled === null ? whyOff : 'MODELS_ENABLED does not name it';
    return { status: 'off', reason: why === undefined ? 'switched off' : `switched off: ${why}` };
  }
  if (file === 'whole') return { status: 'ready', reason: null };
  const instead = file === 'damaged' ? ', and what lies in their place cannot be used' : '';
  return { status: 'not_installed', reason: `weights not installed${instead}` };
}
