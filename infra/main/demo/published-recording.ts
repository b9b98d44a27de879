import { dataSetOf, filesOf } from '../../contract/reference-data/data-sets.ts';
import type { Config } from '../../drivers/config.ts';
import { megabytes, type Progress } from '../../embedded/progress.ts';
import { usualLimits } from '../../downloads/download.ts';
import { cutTrials } from '../../recordings/epochs.ts';
import { collectFiles } from '../../recordings/reference-data/collect.ts';
import { openReferenceSource, readLocalFile } from '../../recordings/reference-data/source.ts';
import { joinTrials, type DemoRecording } from '../../recordings/trials.ts';

/** Imagery of both fists (T1) against both feet (T2), subject 1. */
const runs = new Set(['06', '10', '14']);
const people = new Set(['S001']);
const labels = { T1: 'fists', T2: 'feet' } as const;
/** Short limits: a person waits, and the demo can use a simulated recording instead. */
const limits = { ...usualLimits, attempts: 1, silentSeconds: 15 };

/**
 * Loads the EEG Motor Movement/Imagery Database 1.0.0, subject 1 (Schalk et al. 2004; Goldberger et al. 2000; ODC-BY
 * 1.0), from REFERENCE_DATA_URL or its official site, and caches it. Throws a ReferenceFault if it cannot be obtained.
 */
export async function readPublishedRecording(config: Config, progress: Progress): Promise<DemoRecording> {
  const set = dataSetOf('eegmmidb');
  const source = openReferenceSource(set, { url: config.referenceDataUrl, cacheDir: config.cacheDir, limits });
  const { present, missing } = await collectFiles(source, filesOf(set, runs, people), {
    onProgress: ({ bytes }) => progress.status(`Reading the reference recording: ${megabytes(bytes)}`),
  });
  if (missing.length) throw new Error(`${source.from} does not hold ${missing.map(({ path }) => path).join(', ')}.`);
  const parts = [];
  for (const file of present)
    parts.push(cutTrials(await readLocalFile(file), { labels, window: [0, 4], session: `run ${file.run}` }).trials);
  return {
    source: `${set.name} ${set.version}, subject S001 (PhysioNet; Schalk et al. 2004, ODC-BY 1.0)`,
    notes: ['Imagined movement of both fists or both feet, 0 to 4 s after the cue, runs 6, 10 and 14; session = run.'],
    description: 'Motor imagery: fists = both fists, feet = both feet',
    trials: joinTrials(parts),
  };
}
