import type { sampleNames } from '../../../../infra/recordings/sample/sample.ts';

/** Downloads a file of the sample recording. Throws an Error with a text for people. */
export async function sampleFile(name: (typeof sampleNames)[number]): Promise<File> {
  const response = await fetch(`/sample/${name}`).catch(() => null);
  if (!response?.ok) throw new Error('The sample recording cannot be loaded. Look at your connection, then try again.');
  return new File([await response.blob()], name);
}
