import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { workflowModules } from './observed.ts';
import { failureConverterPath } from './data-converter.ts';

/**
 * Inputs of the bundle: the workflows, everything they may import at run time (lint enforces that), and the SDK that
 * bundles them.
 */
const contract = new URL('../../contract/', import.meta.url);
const sdkVersion = (createRequire(import.meta.url)('@temporalio/worker/package.json') as { version: string }).version;

/**
 * Path of the bundle of the workflows that the `index.ts` of folder `workflows` exports. It is built once per content;
 * a second start of the same code reads it in milliseconds.
 */
export async function workflowBundle(cacheDir: string, workflows: URL): Promise<{ codePath: string }> {
  const folder = join(cacheDir, 'workflows');
  const modules = workflowModules();
  const codePath = join(
    folder,
    `bundle-${await contentHash([workflows, contract])}${modules.length > 0 ? '-traced' : ''}.js`,
  );
  if (
    await readFile(codePath).then(
      () => true,
      () => false,
    )
  )
    return { codePath };
  const workflowsPath = fileURLToPath(new URL('index.ts', workflows));
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    failureConverterPath,
    workflowInterceptorModules: modules,
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(folder, { recursive: true });
  const draft = `${codePath}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, codePath);
  await removeOthers(folder, codePath);
  return { codePath };
}

async function contentHash(sources: readonly URL[]): Promise<string> {
  const hash = createHash('sha256').update(sdkVersion);
  hash.update(await readFile(failureConverterPath));
  for (const source of sources) {
    const names = await readdir(source, { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts')).toSorted())
      hash
        .update(name)
        .update('\0')
        .update(await readFile(new URL(name, source)));
  }
  return hash.digest('hex').slice(0, 24);
}

const kept = 4;

async function removeOthers(folder: string, current: string): Promise<void> {
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith('bundle-') && name.endsWith('.js') && join(folder, name) !== current,
  );
  for (const name of names.slice(kept)) await rm(join(folder, name), { force: true });
}
