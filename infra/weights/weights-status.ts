import {
  catalogue,
  standingOf,
  type CataloguedModel,
  type Held,
  type StandingName,
} from '../../ml/encoders/catalogue/index.ts';
import { FileFault } from '../downloads/fault.ts';
import type { Config } from '../drivers/config.ts';
import type { Log } from '../observe/log.ts';
import { openWeightsStore } from './store.ts';

/** Weights that lie on this machine and are the published ones. */
export interface UsableWeights {
  /** Absolute. */
  readonly path: string;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
}

/**
 * How a pretrained model stands in a process, and where its weights lie if they are usable: what is fitted on them is
 * served, whether the model is switched on, and so tried by new creates, or not.
 */
export type WeightsStatus = Readonly<Pick<CataloguedModel, 'id' | 'title'>> &
  (
    | { readonly status: 'ready'; readonly reason: null; readonly weights: UsableWeights }
    | {
        readonly status: Exclude<StandingName, 'ready'>;
        /** Words that go on from "not tried: ". */
        readonly reason: string;
        readonly weights: UsableWeights | null;
      }
  );

export type WeightsConfig = Pick<Config, 'modelStoreUrl' | 'modelsEnabled' | 'cacheDir'>;

/**
 * Looks once at the weights of every catalogued model that may be used, switched on or not; nothing is downloaded. A
 * file that is not the published one, or cannot be read, is warned of by name and counts as not installed.
 */
export async function statusOfWeights(
  { modelStoreUrl, modelsEnabled: enabled, cacheDir }: WeightsConfig,
  log: Pick<Log, 'warn'>,
  models: readonly CataloguedModel[] = catalogue,
): Promise<WeightsStatus[]> {
  const store = openWeightsStore({ url: modelStoreUrl, cacheDir });
  const statuses: WeightsStatus[] = [];
  for (const model of models) {
    const { id, title } = model;
    const look = async (): Promise<{ held: Held; weights: UsableWeights | null }> => {
      try {
        const found = await store.check(model);
        return found
          ? { held: 'whole', weights: { path: found.at, sha256: found.sha256 } }
          : { held: 'absent', weights: null };
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        log.warn(`The weights of ${id} are not used. ${error.message}`);
        return { held: 'damaged', weights: null };
      }
    };
    const mayBe = standingOf(model, { enabled: [id], held: 'whole' }).status === 'ready';
    const { held, weights } = mayBe ? await look() : { held: 'absent' as const, weights: null };
    const { status, reason } = standingOf(model, { enabled, held });
    statuses.push(
      status === 'ready' ? { id, title, status, reason, weights: weights! } : { id, title, status, reason, weights },
    );
  }
  return statuses;
}

/** The standing once its file was found gone or changed. */
export function withoutWeights(before: WeightsStatus): WeightsStatus {
  const { id, title } = before;
  if (before.status !== 'ready') return { ...before, weights: null };
  const reason = 'weights not installed: their file is gone or has changed since the process began';
  return { id, title, status: 'not_installed', reason, weights: null };
}
