import {
  availabilityOf,
  type CataloguedModel,
  type Enabled,
  type WeightsFile,
} from '../../../../ml/encoders/catalogue/index.ts';
import { FileFault } from '../../../downloads/fault.ts';
import { megabytes } from '../../../embedded/progress.ts';
import type { WeightsStore } from '../../../weights/store.ts';

/**
 * Lines of text about a model: what it is, its licence, whether its weights are installed and whether creates try it.
 */
export async function describeModel(model: CataloguedModel, store: WeightsStore, enabled: Enabled): Promise<string[]> {
  const { licence, file } = model;
  const { file: weights, location } = await look(model, store);
  const { reason } = availabilityOf(model, { enabled, file: weights });
  const size = file.bytes === null ? '' : ` (${megabytes(file.bytes)})`;
  const hashes = [
    ...(file.sha256 === null ? [] : [`SHA-256 ${file.sha256}`]),
    ...(file.gitBlob === null ? [] : [`git object ${file.gitBlob}`]),
  ];
  return [
    `${model.id}: ${model.name} ${model.version}`,
    `  What       ${model.title}`,
    `  Page       ${model.home}`,
    ...(model.card === undefined ? [] : [`  Card       ${model.card} of this service`]),
    `  Licence    ${licence.name} (${licence.spdx}), ${licence.url}`,
    ...model.trainingData.map((sentence) => `  Data       ${sentence}`),
    ...model.citations.map((citation) => `  Cite       ${citation}`),
    `  Trained    On windows of ${model.windowSeconds} s at ${model.rateHz} Hz; ${model.parameters} parameters`,
    `  Channels   ${model.channels}`,
    `  File       ${file.folder}/${file.path}${size}, ${file.address ?? 'comes with the service'}`,
    `  Hash       ${hashes.length > 0 ? `${hashes.join(', ')}. ${file.hashesFrom}` : 'None is published.'}`,
    `  Held       ${location}`,
    `  Tried      ${reason === null ? 'Yes' : `No: ${reason}`}`,
    '',
  ];
}

async function look(model: CataloguedModel, store: WeightsStore): Promise<{ file: WeightsFile; location: string }> {
  try {
    const weights = await store.check(model);
    if (weights === null) return { file: 'absent', location: `Not here; its place is ${store.pathOf(model)}` };
    return {
      file: 'whole',
      location: `${weights.at}${store.inPlace && model.file.address !== null ? ', read in place' : ''}`,
    };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { file: 'damaged', location: error.message };
  }
}

/** The full licence text of a model, as lines. */
export const licenceOf = ({ id, licence }: CataloguedModel): string[] => [
  `${id}: ${licence.name} (${licence.spdx}), ${licence.url}`,
  ...(licence.why === undefined ? [] : [`Not used here: ${licence.why}.`]),
  '',
  ...licence.text,
  '',
];
