import { defineConfig } from 'oxlint';
import { importRules } from './import-rules.ts';

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'oxc', 'node'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
  },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-unnecessary-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false, maxDepth: 20 }],
    'import/no-default-export': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-await-in-loop': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-process-exit': 'off',
    'max-lines': ['error', { max: 300 }],
    'no-console': 'error',
    'node/no-process-env': 'error',
  },
  overrides: [
    ...importRules(),
    {
      files: ['infra/main/**/*.ts', 'test/bench/**/*.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['infra/drivers/config.ts', 'test/**/*.ts', 'vitest.config.ts'],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['test/**/*.ts'],
      rules: { 'max-lines': ['error', { max: 400 }], 'typescript/no-explicit-any': 'off' },
    },
  ],
  ignorePatterns: [
    'clients/typescript/types/**',
    'node_modules',
    'ml/kernels/assembly',
    'clients/**/dist',
    'clients/typescript/src/schema-types.ts',
    '**/golden/**',
  ],
});
