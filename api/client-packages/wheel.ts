import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync, type Zippable } from 'fflate';
import { readProject, type Project } from './pyproject.ts';

const folder = fileURLToPath(new URL('../../clients/python', import.meta.url));

/** A fixed time, so that the same files always give the same bytes. Zip cannot store an earlier one. */
const noTime = new Date('1980-01-02T00:00:00');

export interface Package {
  /** File name, which pip and npm read. */
  readonly name: string;
  readonly type: string;
  readonly body: Uint8Array;
}

/** The wheel of the Python client, as the specification "Binary distribution format" says, built without Python. */
export async function pythonWheel(): Promise<Package> {
  const project = readProject(await readFile(join(folder, 'pyproject.toml'), 'utf8'));
  const stem = `${project.name.replaceAll('-', '_')}-${project.version}`;
  const info = `${stem}.dist-info`;
  const source = join(folder, 'src');
  const names = (await readdir(source, { recursive: true }))
    .filter((name) => /\.(?:py|json)$|py\.typed$/.test(name))
    .sort();
  const files = new Map<string, Uint8Array>();
  for (const name of names) files.set(name, await readFile(join(source, name)));
  files.set(`${info}/METADATA`, text(metadata(project, await readFile(join(folder, 'README.md'), 'utf8'))));
  files.set(
    `${info}/WHEEL`,
    text('Wheel-Version: 1.0\nGenerator: eeg-task-classifier\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  );
  files.set(
    `${info}/entry_points.txt`,
    text(`[console_scripts]\n${lines(project.scripts, (key, value) => `${key} = ${value}`)}`),
  );
  files.set(`${info}/licenses/LICENSE`, await readFile(join(folder, 'LICENSE')));
  const rows = [...files].map(([name, body]) => `${name},sha256=${digest(body)},${body.length}`);
  files.set(`${info}/RECORD`, text(`${[...rows, `${info}/RECORD,,`].join('\n')}\n`));
  const zipped: Zippable = Object.fromEntries([...files].map(([name, body]) => [name, [body, { mtime: noTime }]]));
  return { name: `${stem}-py3-none-any.whl`, type: 'application/zip', body: zipSync(zipped) };
}

/** Core metadata 2.4. */
function metadata(project: Project, readme: string): string {
  const head = [
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `License-Expression: ${project.license}`,
    'License-File: LICENSE',
    `Keywords: ${[...project.keywords].sort().join(',')}`,
    ...project.classifiers.map((each) => `Classifier: ${each}`),
    `Requires-Python: ${project['requires-python']}`,
    ...project.dependencies.map((each) => `Requires-Dist: ${each}`),
    ...Object.entries(project.extras).flatMap(([extra, needs]) => [
      `Provides-Extra: ${extra}`,
      ...needs.map((each) => `Requires-Dist: ${each}; extra == '${extra}'`),
    ]),
    'Description-Content-Type: text/markdown',
  ];
  return `${head.join('\n')}\n\n${readme}`;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const digest = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url');
const lines = (table: Readonly<Record<string, string>>, line: (key: string, value: string) => string): string =>
  Object.entries(table)
    .map(([key, value]) => `${line(key, value)}\n`)
    .join('');
