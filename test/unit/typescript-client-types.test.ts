import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/routes.ts';
import { typesOf, type DescribedSchemas } from '../../clients/typescript/scripts/types-of.ts';
import { limits as ours, trialsPerRequest, windowsPerTrial } from '../../clients/typescript/src/limits.ts';
import { limits, windowsPerTrial as billed } from '../../infra/contract/limits.ts';

const made = typesOf(openApiDocument(operations) as unknown as DescribedSchemas);

describe('the types and limits of the TypeScript client', () => {
  it('follow the schemas: `npm run client-types` writes the same types', () => {
    const file = new URL('../../clients/typescript/src/schema-types.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(made);
  });

  it('declares what its source declares: `npm run client-types` writes the same declarations', async () => {
    const out = await mkdtemp(join(tmpdir(), 'eeg-declarations-'));
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const project = ['-p', join(root, 'clients/typescript/tsconfig.json'), '--emitDeclarationOnly', '--outDir', out];
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...project]);
    const read = (folder: string) =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
    expect(read(join(root, 'clients/typescript/types'))).toEqual(read(out));
    await rm(out, { recursive: true });
  });

  it('have a type for every field that is not arbitrary JSON', () => {
    const untyped = made.split('\n').filter((line) => /(?<!')\b(unknown|any)\b(?!')[^*]*;$/.test(line));
    expect(untyped.map((line) => /(?:type )?(\w+|\[name: string\])\??(?: =|:)/.exec(line)![1]).sort()).toEqual(
      ['Change', '[name: string]', 'change', 'reference_classes'].sort(),
    );
  });

  it('have the limits of the service', () => {
    const { numbersPerRequest, windowsPerRequest, windowSeconds } = limits;
    expect(ours).toEqual({ numbersPerRequest, windowsPerRequest, windowSeconds, resampledHz: 256 });
    for (const [samples, rate] of [
      [80, 100],
      [2_000, 250],
      [1_999, 250],
      [3_840, 128],
      [7, 7 / 8.000_000_000_1],
    ])
      expect(windowsPerTrial({ channels: 1, samples, samplingRateHz: rate })).toBe(billed(samples, rate));
    expect(trialsPerRequest({ channels: 1, samples: 100, samplingRateHz: 100 })).toBe(4_096);
    expect(trialsPerRequest({ channels: 64, samples: 640, samplingRateHz: 160 })).toBe(61);
    expect(trialsPerRequest({ channels: 64, samples: 2_000, samplingRateHz: 500 })).toBe(31);
    expect(trialsPerRequest({ channels: 3, samples: 3_000, samplingRateHz: 100 })).toBe(173);
    expect(trialsPerRequest({ channels: 1_000, samples: 5_000, samplingRateHz: 100 })).toBe(1);
  });
});
