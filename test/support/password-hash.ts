import { hashPassword } from '../../infra/records/accounts/index.ts';

let made: Promise<string> | undefined;

/** The hash of a password, made once for all accounts of a process: making one takes a tenth of a second. */
export const passwordHash = (): Promise<string> => (made ??= hashPassword('long enough'));
