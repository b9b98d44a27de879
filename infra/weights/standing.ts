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
import { openWeightsStore, type HeldWeights } from './store.ts';

/** How a pretrained model stands in a process, and where its weights lie if they are usable. */
export type WeightsStanding = Readonly<Pick<CataloguedModel, 'id' | 'title'>> &
  (
    | {
        readonly ready: true;
        readonly status: 'ready';
        readonly reason: null;
        /** Absolute. */
        readonly path: string;
        /** Of the file, in hexadecimal. */
        readonly sha256: string;
      }
    | {
        readonly ready: false;
        readonly status: Exclude<StandingName, 'ready'>;
        /** Words that go on from "not tried: ". */
        readonly reason: string;
      }
  );

export type WeightsConfig = Pick<Config, 'modelStoreUrl' | 'modelsEnabled' | 'cacheDir'>;

/**
 * Looks once at the weights of every catalogued model that is switched on; nothing is downloaded. A file that is not
 * the published one, or cannot be read, is warned of by name and counts as not installed.
 */
export async function standingOfWeights(
  { modelStoreUrl, modelsEnabled: enabled, cacheDir }: WeightsConfig,
  log: Pick<Log, 'warn'>,
  models: readonly CataloguedModel[] = catalogue,
): Promise<WeightsStanding[]> {
  const store = openWeightsStore({ url: modelStoreUrl, cacheDir });
  const standings: WeightsStanding[] = [];
  for (const model of models) {
    const { id, title } = model;
    const look = async (): Promise<{ held: Held; weights: HeldWeights | null }> => {
      try {
        const weights = await store.check(model);
        return { held: weights ? 'whole' : 'absent', weights };
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        log.warn(`The weights of ${id} are not used. ${error.message}`);
        return { held: 'damaged', weights: null };
      }
    };
    const mayBe = standingOf(model, { enabled, held: 'whole' }).status === 'ready';
    const { held, weights } = mayBe ? await look() : { held: 'absent' as const, weights: null };
    const { status, reason } = standingOf(model, { enabled, held });
    standings.push(
      status === 'ready'
        ? { id, title, ready: true, status, reason, path: weights!.at, sha256: weights!.sha256 }
        : { id, title, ready: false, status, reason },
    );
  }
  return standings;
}
