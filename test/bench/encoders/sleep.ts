import type { EncoderSource } from './sources.ts';
export const sleepSection = async (_kept: string | undefined, _source: EncoderSource): Promise<string> => '';
