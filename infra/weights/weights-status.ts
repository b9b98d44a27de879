import {
  catalogue,
  availabilityOf,
  besides,
  type CataloguedModel,
  type WeightsFile,
  type AvailabilityStatus,
} from '../../ml/encoders/catalogue/index.ts';
import { FileFault } from '../downloads/fault.ts';
import type { Config } from '../drivers/config.ts';
import type { Log } from '../observe/log.ts';
import { openWeightsStore } from './store.ts';

/** Published weights that are installed on this machine. */
export interface UsableWeights {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Status of a pretrained model in this process, and its weights if they are usable. Models fitted on usable weights are
 * served even while the pretrained model is switched off; only new creates then do not try it.
 */
export type WeightsStatus = Readonly<Pick<CataloguedModel, 'id' | 'title'>> & {
  /** Path of its model card in this service; null: it has none. */
  readonly card: string | null;
} & (
    | { readonly status: 'ready'; readonly reason: null; readonly weights: UsableWeights }
    | {
        readonly status: Exclude<AvailabilityStatus, 'ready'>;
        /** Continues the sentence "not tried: ". */
        readonly reason: string;
        readonly weights: UsableWeights | null;
      }
  );

export type WeightsConfig = Pick<Config, 'modelStoreUrl' | 'modelsEnabled' | 'cacheDir'>;

/**
 * Checks the weights of every catalogued model that may be used, switched on or off, once; downloads nothing. A file
 * that is unreadable or not the published one is logged and counts as not installed.
 */
export async function statusOfWeights(
  { modelStoreUrl, modelsEnabled: enabled, cacheDir }: WeightsConfig,
  log: Pick<Log, 'warn'>,
  models: readonly CataloguedModel[] = catalogue,
): Promise<WeightsStatus[]> {
  const store = openWeightsStore({ url: modelStoreUrl, cacheDir });
  const statuses: WeightsStatus[] = [];
  for (const model of models) {
    const { id, title, card = null } = model;
    /** Fitted models need the weights alone, so these are used on if a file beside them is damaged. */
    const areWhole = async (parts: readonly CataloguedModel[]): Promise<boolean> => {
      try {
        for (const part of parts) await store.obtain(part);
        return true;
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        log.warn(`New models do not use ${id}. ${error.message}`);
        return false;
      }
    };
    const look = async (): Promise<{ file: WeightsFile; weights: UsableWeights | null }> => {
      try {
        const found = await store.check(model);
        if (!found) return { file: 'absent', weights: null };
        const weights = { path: found.at, sha256: found.sha256 };
        return { file: (await areWhole(besides(model))) ? 'whole' : 'damaged', weights };
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        log.warn(`The weights of ${id} are not used. ${error.message}`);
        return { file: 'damaged', weights: null };
      }
    };
    const mayBe = availabilityOf(model, { enabled: [id], file: 'whole' }).status === 'ready';
    const { file, weights } = mayBe ? await look() : { file: 'absent' as const, weights: null };
    const { status, reason } = availabilityOf(model, { enabled, file });
    statuses.push(
      status === 'ready'
        ? { id, title, card, status, reason, weights: weights! }
        : { id, title, card, status, reason, weights },
    );
  }
  return statuses;
}

/** Status of a model after its file was found missing or changed. */
export function withoutWeights(before: WeightsStatus): WeightsStatus {
  const { id, title, card } = before;
  if (before.status !== 'ready') return { ...before, weights: null };
  const reason = 'weights not installed: their file is gone or has changed since the process began';
  return { id, title, card, status: 'not_installed', reason, weights: null };
}
