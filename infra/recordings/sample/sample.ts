/** Facts about the recording that the project ships, for every place that uses it. README.md says where it is from. */

/** Files in this folder, one for each run. The last one is kept back, to be labelled. */
export const sampleNames = ['fists-or-feet-1.edf', 'fists-or-feet-2.edf', 'fists-or-feet-3.edf'] as const;

export const sampleElectrodes = ['Fp1', 'Fp2', 'FC3', 'FC4', 'C3', 'Cz', 'C4', 'CP3', 'CP4', 'Pz'] as const;

/** Published annotation → name of the event in the files. */
export const sampleEvents = { T0: 'rest', T1: 'both fists', T2: 'both feet' } as const;

/** Event → class. The rest between the trials is left out. */
export const sampleClasses: Readonly<Record<string, string>> = {
  'both fists': 'both fists',
  'both feet': 'both feet',
};

/** Seconds after the event that are a trial. */
export const sampleWindow = [0, 4] as const;

export const sampleDescription = 'motor imagery: both fists or both feet';

/** Where the recording is from, as its licence asks. */
export const sampleSource =
  'EEG Motor Movement/Imagery Database 1.0.0 (PhysioNet), subject 1, runs 6, 10 and 14. ' +
  'Schalk et al. 2004, Goldberger et al. 2000. Open Data Commons Attribution Licence 1.0.';
