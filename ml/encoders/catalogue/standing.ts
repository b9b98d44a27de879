import type { CataloguedModel } from './schema.ts';

/** What lies on this machine of a model's weights: the published file, one that cannot be used, or nothing. */
export type Held = 'whole' | 'damaged' | 'absent';

export type StandingName = 'ready' | 'forbidden' | 'unusable' | 'off' | 'not_installed';

/** Whether a model is a candidate, and if not why: words that go on from "not tried: ". */
export type Standing =
  | { readonly status: 'ready'; readonly reason: null }
  | { readonly status: Exclude<StandingName, 'ready'>; readonly reason: string };

/** Whether the bytes of its file are known, so that another file is told from it. */
export const isPinned = ({ file }: Pick<CataloguedModel, 'file'>): boolean =>
  file.sha256 !== null || file.gitBlob !== null;

/** Ids that MODELS_ENABLED names; null: what the catalogue has on. */
export type Enabled = readonly string[] | null;

/** Whether a model is switched on, by MODELS_ENABLED or else by the catalogue. */
export const isSwitchedOn = ({ id, enabled }: Pick<CataloguedModel, 'id' | 'enabled'>, named: Enabled): boolean =>
  named === null ? enabled : named.includes(id);

/**
 * How a model stands: no licence that forbids it and no unknown file is made up for by a switch or by what lies here.
 */
export function standingOf(model: CataloguedModel, { enabled, held }: { enabled: Enabled; held: Held }): Standing {
  const { licence, whyOff } = model;
  if (!licence.hostedUse)
    return { status: 'forbidden', reason: `its licence forbids it: ${licence.why ?? licence.name}` };
  if (!isPinned(model)) return { status: 'unusable', reason: 'no hash of its weights is published' };
  if (!isSwitchedOn(model, enabled)) {
    const why = enabled === null ? whyOff : 'MODELS_ENABLED does not name it';
    return { status: 'off', reason: why === undefined ? 'switched off' : `switched off: ${why}` };
  }
  if (held === 'whole') return { status: 'ready', reason: null };
  const instead = held === 'damaged' ? ', and what lies in their place cannot be used' : '';
  return { status: 'not_installed', reason: `weights not installed${instead}` };
}
