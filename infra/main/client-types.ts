import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/index.ts';
import { typesOf, type DescribedSchemas } from '../../clients/typescript/scripts/types-of.ts';

/** `npm run client-types`: writes the types of the TypeScript client from the interface description. */
const file = fileURLToPath(new URL('../../clients/typescript/src/schema-types.ts', import.meta.url));
await writeFile(file, typesOf(openApiDocument(operations) as unknown as DescribedSchemas));
