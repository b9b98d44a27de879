import type { PinnedArchive } from './pinned-download.ts';
import { temporalCliVersion } from './temporal-build.ts';

/** SHA-256 of the archives that the project's release of `temporalCliVersion` holds, by system and processor. */
const archives: Readonly<Record<string, { readonly name: string; readonly sha256: string }>> = {
  'linux-x64': { name: 'linux_amd64', sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d' },
  'linux-arm64': { name: 'linux_arm64', sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5' },
  'darwin-x64': { name: 'darwin_amd64', sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9' },
  'darwin-arm64': { name: 'darwin_arm64', sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415' },
};

/** The Temporal CLI as its project publishes it for this machine; null where it does not. */
export function temporalCliArchive(machine = `${process.platform}-${process.arch}`): PinnedArchive | null {
  const archive = archives[machine];
  if (!archive) return null;
  const file = `temporal_cli_${temporalCliVersion.slice(1)}_${archive.name}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/${temporalCliVersion}/${file}`;
  return { url, sha256: archive.sha256, member: 'temporal' };
}
