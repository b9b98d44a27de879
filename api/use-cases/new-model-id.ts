import { randomBytes } from 'node:crypto';

export const newModelId = (): string => `clf_${randomBytes(16).toString('hex')}`;
