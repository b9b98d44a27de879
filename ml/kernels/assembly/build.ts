import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Compiles the kernels of this folder. Returns the text of ml/kernels/binary.ts, which `npm run kernels` writes. */
export async function buildKernels(): Promise<string> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ['assembly/index.ts', '--config', 'asconfig.json', '--baseDir', folder, '--outFile', 'kernels.wasm'],
    {
      writeFile: (name: string, contents: string | Uint8Array) => {
        if (name.endsWith('.wasm')) binary = contents as Uint8Array;
      },
    },
  );
  if (error || !binary) throw new Error(`The kernels do not compile: ${stderr.toString()}`, { cause: error });
  const lines = Buffer.from(binary).toString('base64').match(/.{1,140}/g) ?? [];
  const text = lines.map((line) => `  '${line}',`).join('\n');
  const comment = '/** The compiled kernels of ./assembly, base64 in lines. Written by `npm run kernels`. */';
  return `${comment}\nexport const binary: readonly string[] = [\n${text}\n];\n`;
}

if (import.meta.main) await writeFile(`${folder}/binary.ts`, await buildKernels());
