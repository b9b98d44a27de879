import dcrnnTusz from './dcrnn-tusz.json' with { type: 'json' };
import labramBase from './labram-base.json' with { type: 'json' };
import { movementCard } from '../movement/card.ts';
import movementFacts from './movement.json' with { type: 'json' };
import neurorvqEeg from './neurorvq-eeg.json' with { type: 'json' };
import robustSleepNet from './robust-sleep-net.json' with { type: 'json' };
import type { CataloguedModel } from './schema.ts';

export type { CataloguedModel } from './schema.ts';
export { isPinned, availabilityOf, type Enabled, type WeightsFile, type AvailabilityStatus } from './availability.ts';

const { bytes, parameters, people, sha256, version } = movementCard;
const sketches = { path: 'people.safetensors', bytes: people.bytes, sha256: people.sha256 };
/** The network that comes with the code; the trainer writes the hashes of its files to the model card. */
const movement: CataloguedModel = {
  ...movementFacts,
  version,
  parameters,
  file: { ...movementFacts.file, bytes, sha256, beside: [sketches] },
};

/** The pretrained models of the service. A test checks their files against the schema. */
export const catalogue: readonly CataloguedModel[] = [movement, robustSleepNet, labramBase, dcrnnTusz, neurorvqEeg];

/** The model with each file that comes beside its weights in place of them. */
export const besides = (model: CataloguedModel): readonly CataloguedModel[] =>
  (model.file.beside ?? []).map((own) => ({ ...model, file: { ...model.file, ...own } }));

/** The model of that id. Throws if there is none. */
export function modelOf(id: string): CataloguedModel {
  const found = catalogue.find((model) => model.id === id);
  if (!found) throw new RangeError(`There is no model "${id}", but ${catalogue.map((model) => model.id).join(', ')}.`);
  return found;
}
