import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../drivers/config.ts';
import { folderOfFileUrl } from '../drivers/config.ts';
import type { Progress } from '../embedded/progress.ts';
import { readEdf } from './edf.ts';
import { cutTrials } from './epochs.ts';
import { joinTrials, type DemoRecording } from './trials.ts';

/**
 * Imagery of both fists (T1) against both feet (T2), subject 1: path under the source's root and SHA-256 of the
 * published file.
 */
const runs = [
  ['06', '5369364f2c4e81ca141679d6dd2ba6ece61c7eb53d7fae31241b308876e1b6b3'],
  ['10', '20de1c7746c2349d16bda5e9f1b0ac7b7ad1581102a2e30dd2ac422696f62fb1'],
  ['14', '2110c48e3106898e3dbca47e39b330637afd3d3b8bc2da3ba1e44f4ac1118137'],
] as const;
const labels = { T1: 'fists', T2: 'feet' } as const;
const connectSeconds = 15;
const pathOf = (run: string): string => `eegmmidb/1.0.0/S001/S001R${run}.edf`;

/**
 * EEG Motor Movement/Imagery Database 1.0.0, subject 1 (Schalk et al. 2004; Goldberger et al. 2000; ODC-BY 1.0), from
 * REFERENCE_DATA_URL in the layout of physionet.org/files; what was downloaded is kept. Throws where it cannot be
 * reached.
 */
export async function readReference(config: Config, progress: Progress): Promise<DemoRecording> {
  const parts = [];
  for (const [run, sha256] of runs) {
    const bytes = await load(config, pathOf(run), sha256, progress);
    parts.push(cutTrials(readEdf(bytes), { labels, window: [0, 4], session: `run ${run}` }).trials);
  }
  return {
    source: 'EEG Motor Movement/Imagery Database 1.0.0, subject S001 (PhysioNet; Schalk et al. 2004, ODC-BY 1.0)',
    notes: ['Imagined movement of both fists or both feet, 0 to 4 s after the cue, runs 6, 10 and 14; session = run.'],
    description: 'Motor imagery: fists = both fists, feet = both feet',
    trials: joinTrials(parts),
  };
}

async function load(config: Config, path: string, sha256: string, progress: Progress): Promise<Uint8Array> {
  if (config.referenceDataUrl.startsWith('file:'))
    return await readFile(join(folderOfFileUrl(config.referenceDataUrl), path));
  const kept = join(config.cacheDir, 'reference', path);
  const before = await readFile(kept).catch(() => null);
  if (before) return before;
  progress.status(`Downloading ${path}`);
  const response = await fetch(`${config.referenceDataUrl}/${path}`, {
    signal: AbortSignal.timeout(4 * connectSeconds * 1000),
  });
  if (!response.ok) throw new Error(`${config.referenceDataUrl}/${path} answered ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${path} is not the published file (SHA-256 ${found})`);
  await mkdir(dirname(kept), { recursive: true });
  await writeFile(`${kept}.${process.pid}`, bytes);
  await rename(`${kept}.${process.pid}`, kept);
  return bytes;
}
