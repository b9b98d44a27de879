import { parseArgs } from 'node:util';
import { catalogue, isPinned, availabilityOf, type CataloguedModel } from '../../../../ml/encoders/catalogue/index.ts';
import type { Config } from '../../../drivers/config.ts';
import type { DownloadLimits } from '../../../downloads/download.ts';
import { FileFault } from '../../../downloads/fault.ts';
import type { Progress } from '../../../embedded/progress.ts';
import { openWeightsStore } from '../../../weights/store.ts';
import { describeModel, licenceOf } from './list.ts';
import { pullWeights } from './pull.ts';
import { verifyWeights } from './verify.ts';

export const modelsHelp = `npm run models -- COMMAND [MODEL …] [--licence]

  list      what the pretrained models are, their licences and citations, what is known of their training data, and
            whether they are tried; --licence: the whole text of each licence
  pull      brings the weights here of each model that is switched on, or of those that are named; goes on where an
            earlier attempt ended, and keeps a file only if its hash is the published one
  verify    compares the files on this machine with the published hashes; exit code 1 if one is damaged

Models: ${catalogue.map(({ id }) => id).join(', ')}; all of them where none is named.
MODEL_STORE_URL names a mirror (https:) or a folder (file:, read in place) that has each file at folder/path of its
model: robust-sleep-net/best_model.gz. MODELS_ENABLED names those that are switched on, all others are off; or none. It
decides for new creates only. Models that were fitted before are served if their weights are on this machine.
A service without weights runs on classical methods; one that runs takes up new weights when it is started again.`;

/** A mistake on the command line; its message is for the operator. */
export class ModelsUsage extends Error {
  constructor(message: string) {
    super(`${message}\n\n${modelsHelp}`);
    this.name = 'UsageError';
  }
}

/** Some weights could not be downloaded; each failure has been reported. */
class NotPulled extends Error {
  constructor(failed: number) {
    super(`${failed === 1 ? 'The weights of one model are' : `The weights of ${failed} models are`} not here.`);
    this.name = 'UsageError';
  }
}

export interface ModelsOptions {
  /** Default: the catalogue. */
  readonly models?: readonly CataloguedModel[];
  readonly limits?: DownloadLimits;
}

/**
 * Runs `npm run models`. Throws ModelsUsage, a FileFault if weights are damaged, or a UsageError if some could not be
 * downloaded.
 */
export async function runModels(
  args: readonly string[],
  config: Pick<Config, 'modelStoreUrl' | 'modelsEnabled' | 'cacheDir'>,
  progress: Progress,
  { models = catalogue, limits }: ModelsOptions = {},
): Promise<void> {
  const { positionals, values } = readArguments(args);
  const [name, ...named] = positionals;
  if (values.help || name === undefined || name === 'help') {
    progress.line(modelsHelp);
    return;
  }
  if (!['list', 'pull', 'verify'].includes(name)) throw new ModelsUsage(`There is no command "${name}".`);
  const unknown = named.find((id) => !models.some((model) => model.id === id));
  if (unknown !== undefined) throw new ModelsUsage(`There is no model "${unknown}".`);
  if (values.licence && name !== 'list') throw new ModelsUsage('--licence belongs to list.');
  const chosen = models.filter(({ id }) => named.length === 0 || named.includes(id));
  const { modelsEnabled: enabled, cacheDir } = config;
  const store = openWeightsStore({ url: config.modelStoreUrl, cacheDir, limits });
  if (name === 'list') {
    for (const model of chosen)
      for (const line of values.licence ? licenceOf(model) : await describeModel(model, store, enabled))
        progress.line(line);
  } else if (name === 'pull') {
    const wanted = named.length > 0 ? permitted(chosen) : chosen.filter(isOn(enabled));
    if (wanted.length === 0) progress.line('No model is switched on.');
    const failed = await pullWeights(wanted, store, progress);
    if (failed > 0) throw new NotPulled(failed);
  } else {
    const damaged = await verifyWeights(chosen, store, progress);
    if (damaged > 0)
      throw new FileFault(
        'not_the_published_file',
        'Weights are damaged. Remove them, then pull them again or replace them by hand; until then the service does ' +
          'not use them.',
      );
  }
}

const isOn =
  (enabled: Config['modelsEnabled']) =>
  (model: CataloguedModel): boolean =>
    availabilityOf(model, { enabled, file: 'whole' }).status === 'ready';

/** The named models; throws if one of them must not be downloaded. */
function permitted(models: readonly CataloguedModel[]): readonly CataloguedModel[] {
  for (const model of models) {
    const { id, licence } = model;
    if (!licence.hostedUse || !isPinned(model))
      throw new ModelsUsage(
        `${id} is not brought here: ${availabilityOf(model, { enabled: [id], file: 'absent' }).reason}.`,
      );
  }
  return models;
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, licence: { type: 'boolean' } },
    });
  } catch (error) {
    throw new ModelsUsage((error as Error).message);
  }
}
