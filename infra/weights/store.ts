import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPinned, type CataloguedModel } from '../../ml/encoders/catalogue/index.ts';
import { downloadFile, usualLimits, type DownloadLimits } from '../downloads/download.ts';
import { FileFault, requireReadable, unreadable } from '../downloads/fault.ts';
import { differenceOf, sha256Of } from '../downloads/published.ts';
import { folderOfFileUrl } from '../drivers/config.ts';
import { isShipped, shippedPath } from './shipped-path.ts';

/** Published weights that are installed on this machine. */
export interface WeightsFile {
  /** Absolute. */
  readonly at: string;
  readonly bytes: number;
  /** In hexadecimal. Models that are fitted on these weights are pinned to it. */
  readonly sha256: string;
}

export interface WeightsStore {
  /** The folder or address that weights come from, for messages; null: each model's official address. */
  readonly from: string | null;
  /** Whether `from` is a folder of this machine. Its files are read in place, without a copy. */
  readonly inPlace: boolean;
  /** Path of the weights of a model on this machine, whether the file exists or not. */
  pathOf(model: CataloguedModel): string;
  /**
   * Checks the file at that path. Returns null if there is no file, or if no hash of the model's weights is known.
   * Throws a FileFault if the file is not the published one or cannot be read.
   */
  check(model: CataloguedModel, options?: ObtainOptions): Promise<WeightsFile | null>;
  /**
   * Downloads the weights of a model if they are missing, and checks them. Throws a FileFault, or the reason of
   * `signal`.
   */
  obtain(model: CataloguedModel, options?: ObtainOptions): Promise<WeightsFile>;
}

export interface ObtainOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of bytes on this machine so far. */
  onSize?(bytes: number): void;
}

export interface StoreOptions {
  /** MODEL_STORE_URL: a `file:` folder or the address of a mirror, each file at `folder/path` of its model; or null. */
  readonly url: string | null;
  /** Cache folder; downloads are under `models`. */
  readonly cacheDir: string;
  readonly limits?: DownloadLimits | undefined;
}

/** Limit of a file's size, because weights are read into memory as a whole. */
export const mostBytes = 2 ** 31;
const weightsLimits: DownloadLimits = { ...usualLimits, largestBytes: mostBytes };

const nameOf = ({ file }: CataloguedModel): string => `${file.folder}/${file.path}`;

/** Opens the store of pretrained weights: a folder that is read in place, or a cache of downloads. */
export function openWeightsStore({ url, cacheDir, limits = weightsLimits }: StoreOptions): WeightsStore {
  const inPlace = url !== null && /^file:/i.test(url);
  const folder = inPlace ? folderOfFileUrl(url) : join(cacheDir, 'models');
  const pathOf = (model: CataloguedModel): string =>
    isShipped(model) ? shippedPath(model) : join(folder, model.file.folder, model.file.path);
  const check: WeightsStore['check'] = (model, options) => checkFile(pathOf(model), model, options);
  const absent = (model: CataloguedModel, from: string): FileFault =>
    new FileFault('nothing_there', `${from} does not hold ${nameOf(model)}.`);
  const present: WeightsStore['obtain'] = async (model, options) => {
    const weights = await check(model, options);
    if (weights === null) throw absent(model, isShipped(model) ? 'The installed code' : folder);
    return weights;
  };
  if (inPlace)
    return {
      from: folder,
      inPlace,
      pathOf,
      check,
      obtain: present,
    };
  return {
    from: url,
    inPlace,
    pathOf,
    check,
    async obtain(model, options = {}) {
      const { address: official } = model.file;
      if (official === null) return present(model, options);
      const { signal, onSize } = options;
      const before = await check(model, { signal }).catch((error: unknown) => {
        if (error instanceof FileFault) return null;
        throw error;
      });
      if (before) {
        onSize?.(before.bytes);
        return before;
      }
      const { file } = model;
      const address = url === null ? official : [url, file.folder, file.path].join('/');
      const target = pathOf(model);
      const state = await downloadFile({
        name: nameOf(model),
        url: address,
        target,
        published: file,
        elsewhere:
          `It was asked for ${address}. MODEL_STORE_URL may name a mirror (https:) or a folder (file:) that holds ` +
          `${nameOf(model)}; without it the service runs on classical methods.`,
        signal,
        onSize,
        limits,
      });
      const weights = state === 'complete' ? await check(model, { signal }) : null;
      if (weights === null) throw absent(model, address);
      return weights;
    },
  };
}

async function checkFile(
  at: string,
  model: CataloguedModel,
  { signal, onSize }: ObtainOptions = {},
): Promise<WeightsFile | null> {
  if (!isPinned(model)) return null;
  const cannotRead = (error: NodeJS.ErrnoException): never => {
    signal?.throwIfAborted();
    throw unreadable(at, error);
  };
  const about = await stat(at).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' ? null : cannotRead(error),
  );
  if (about === null) return null;
  requireReadable(at, about, mostBytes);
  const difference = await differenceOf(at, about.size, model.file, signal).catch(cannotRead);
  if (difference !== null)
    throw new FileFault('not_the_published_file', `${at} is not the published file: ${difference}.`);
  onSize?.(about.size);
  const sha256 = model.file.sha256 ?? (await sha256Of(at, signal).catch(cannotRead));
  return { at, bytes: about.size, sha256 };
}
