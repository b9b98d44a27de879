import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/routes.ts';
import { typesOf, type DescribedSchemas } from '../../clients/typescript/scripts/types-of.ts';

/**
 * `npm run client-types`: writes the types of the TypeScript client from the interface description, and its
 * declarations.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}clients/typescript/src/schema-types.ts`;
await writeFile(file, typesOf(openApiDocument(operations) as unknown as DescribedSchemas));

const declarations = ['--emitDeclarationOnly', '--outDir', `${root}clients/typescript/types`];
const tsc = `${root}node_modules/typescript/bin/tsc`;
execFileSync(process.execPath, [tsc, '-p', `${root}clients/typescript/tsconfig.json`, ...declarations]);
