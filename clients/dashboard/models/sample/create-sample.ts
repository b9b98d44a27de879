import { asFailure } from '../../fetch.ts';
import {
  sampleClasses,
  sampleDescription,
  sampleElectrodes,
  sampleNames,
  sampleWindow,
} from '../../../../infra/recordings/sample/sample.ts';
import { createFailed } from '../file/failed-creates.ts';
import { idOfCreate } from '../file/id-of-create.ts';
import { startReader } from '../file/reader.ts';
import { sendCreate } from '../file/send.ts';
import { remember } from '../remembered.ts';
import { sampleFile } from './sample-file.ts';

/** The runs that are fitted. The last run is kept back, so that it can be labelled. */
const fitted = sampleNames.slice(0, -1);

/** Makes a free test model of the sample recording. Returns its id when the fit has begun. */
export async function createSample(): Promise<string> {
  const reader = startReader();
  const details = {
    name: 'Sample: fists or feet',
    description: sampleDescription,
    expires_at: null,
    baselineSeconds: null,
  };
  let id: string | null = null;
  try {
    await reader.open(await Promise.all(fitted.map(sampleFile)));
    await reader.cut({ classes: sampleClasses, window: sampleWindow, electrodes: sampleElectrodes });
    const create = async (onModel: (of: string) => void) => {
      try {
        return await sendCreate(reader, { mode: 'test', details, batches: 1, onStep: () => undefined, onModel });
      } catch (error) {
        if (id !== null) createFailed(id, asFailure(error));
        throw error;
      } finally {
        reader.close();
      }
    };
    id = await idOfCreate(create);
  } catch (error) {
    reader.close();
    throw error;
  }
  remember(id, { classes: sampleClasses, from: sampleWindow[0], isSample: true });
  return id;
}
