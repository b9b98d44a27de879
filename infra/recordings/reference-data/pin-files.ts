import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataSetSchema, type DataSet } from '../../contract/reference-data/data-set-schema.ts';

type Row = DataSet['files'][number];

/**
 * `node infra/recordings/reference-data/pin-files.ts DATA_SET.json LIST [FOLDER]`: writes the rows of `files` from the
 * publisher's list of hashes. Each line of LIST has a path, a SHA-256 and, if published, a size in bytes, in any order.
 * A missing size is taken from the file in FOLDER, else from the former row.
 */
async function pinFiles(file: string, list: string, folder: string | undefined): Promise<string> {
  const set = JSON.parse(await readFile(file, 'utf8')) as DataSet;
  const pattern = new RegExp(
    `^(?:.*/)?${set.path
      .split(/(\{person\}|\{run\})/)
      .map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`))
      .join('')
      .replace('{person}', String.raw`(?<person>\w+)`)
      .replace('{run}', String.raw`(?<run>\w+)`)
      .replaceAll('{person}', String.raw`\k<person>`)
      .replaceAll('{run}', String.raw`\k<run>`)}$`,
  );
  const excluded = new Set(set.excluded.map(({ person }) => person));
  const former = new Map(set.files?.map(([person, run, bytes]) => [`${person} ${run}`, bytes]));
  const rows: Row[] = [];
  for (const line of (await readFile(list, 'utf8')).split('\n')) {
    const words = line.trim().split(/\s+/);
    const sha256 = words.find((word) => /^[0-9a-f]{64}$/.test(word));
    const found = words.map((word) => pattern.exec(word)).find((match) => match !== null);
    if (!sha256 || !found?.groups || excluded.has(found.groups.person)) continue;
    const { person, run } = found.groups;
    const publishedSize = words.find((word) => /^\d+$/.test(word));
    const local = folder === undefined ? null : await stat(join(folder, found[0])).catch(() => null);
    const bytes =
      publishedSize === undefined ? (local?.size ?? former.get(`${person} ${run}`) ?? null) : Number(publishedSize);
    rows.push([person, run, bytes, sha256]);
  }
  const byNumber = new Intl.Collator('en', { numeric: true });
  rows.sort((a, b) => byNumber.compare(a[0], b[0]) || byNumber.compare(a[1], b[1]));
  const checked = dataSetSchema.parse({ ...set, files: rows });
  const { files, ...rest } = checked;
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  const lines = files.map((row) => `    ${JSON.stringify(row).replaceAll(',', ', ')}`).join(',\n');
  await writeFile(file, `${head},\n  "files": [\n${lines}\n  ]\n}\n`);
  return `${file}: ${rows.length} files of ${new Set(rows.map(([person]) => person)).size} people.\n`;
}

const [file, list, folder] = process.argv.slice(2);
process.stdout.write(await pinFiles(file, list, folder));
