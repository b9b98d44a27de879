import { expect, it } from 'vitest';
import { publicMessage } from '../../activities/reference-data/public-message.ts';

const set = { folder: 'eegmmidb/1.0.0' };
const cacheDir = '/var/cache/service';

it('names files as the data set does, and reveals no path of the service', () => {
  const source = { folder: '/srv/eeg/eegmmidb/1.0.0', inPlace: true };
  const said = (message: string): string => publicMessage(message, set, source, { url: 'file:/srv/eeg', cacheDir });
  expect(said('/srv/eeg/eegmmidb/1.0.0/S001/S001R01.edf is damaged.')).toBe(
    'eegmmidb/1.0.0/S001/S001R01.edf is damaged.',
  );
  expect(said('/srv/eeg/eegmmidb/1.0.0 holds none.')).toBe('The folder eegmmidb/1.0.0 holds none.');
});

it('reveals no address of a mirror, but names that of the publisher', () => {
  const source = { folder: `${cacheDir}/reference/eegmmidb/1.0.0`, inPlace: false };
  const said = (message: string, url: string | null): string => publicMessage(message, set, source, { url, cacheDir });
  const url = 'http://10.1.2.3:8000/eeg';
  expect(said('10.1.2.3:8000 could not be reached.', url)).toBe('The mirror could not be reached.');
  expect(said(`a.edf could not be downloaded: ${url}/a.edf answers 500.`, url)).toBe(
    'a.edf could not be downloaded: the mirror answers 500.',
  );
  const secret = [
    'https://mirror.internal:443/secret/x',
    'https://mirror.internal/secret:abc/key',
    'https://mirror.internal/sec,ret/secret)en/',
    'https://dätei.example/secret',
    'https://user:secret@mirror.internal',
  ];
  for (const each of secret) {
    expect(said(`a.edf could not be downloaded: ${each}/eegmmidb/a.edf answers 403.`, each)).toBe(
      'a.edf could not be downloaded: the mirror answers 403.',
    );
    expect(said(`a.edf of ${new URL(each).href}eegmmidb/a.edf: gone (${each}).`, each)).not.toMatch(
      /secret|internal|tei/,
    );
  }
  expect(said(`${source.folder}/S001.edf cannot be read.`, url)).toBe('eegmmidb/1.0.0/S001.edf cannot be read.');
  expect(said('physionet.org could not be reached.', null)).toBe('physionet.org could not be reached.');
});
