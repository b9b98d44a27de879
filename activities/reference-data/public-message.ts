import type { ReferenceSource } from '../../infra/recordings/reference-data/source.ts';
import type { ReferenceOptions } from '../deps.ts';
import type { DataSet } from '../../infra/contract/reference-data/data-set-schema.ts';

/**
 * A fault as a message for callers of the API. Files appear by their names in the data set, and the operator's folder
 * or mirror in general words. The message contains no path or address of this service. The name of the publisher's site
 * stays.
 */
export function publicMessage(
  message: string,
  set: Pick<DataSet, 'folder'>,
  source: Pick<ReferenceSource, 'folder' | 'inPlace'>,
  { url, cacheDir }: Pick<ReferenceOptions, 'url' | 'cacheDir'>,
): string {
  const places: [string, string][] = [
    [`${source.folder}/`, `${set.folder}/`],
    [source.folder, source.inPlace ? `the folder ${set.folder}` : set.folder],
    [cacheDir, 'the folder of downloads'],
  ];
  const plain = places.reduce((text, [place, name]) => text.replaceAll(place, name), message);
  const own = url !== null && !source.inPlace ? withoutMirror(plain, url) : plain;
  return own.startsWith('the ') ? `T${own.slice(1)}` : own;
}

/**
 * Replaces each address of the mirror, as configured or as requested, up to the next space, except the punctuation of
 * the sentence. The message names the file elsewhere.
 */
function withoutMirror(message: string, configured: string): string {
  const { protocol, host, hostname, href } = new URL(configured);
  const beginnings = [configured, href, `${protocol}//${host}`].map((each) => escaped(each.replace(/\/+$/, '')));
  const addresses = new RegExp(
    `(?:${beginnings.join('|')}|${protocol}//[^\\s/]*@${escaped(host)})\\S*?(?=[:;,.)]*(?:\\s|$))`,
    'gi',
  );
  return message.replaceAll(addresses, 'the mirror').replaceAll(host, 'the mirror').replaceAll(hostname, 'the mirror');
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
