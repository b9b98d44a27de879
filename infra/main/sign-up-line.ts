import { createPool } from '../drivers/postgres/pool.ts';
import { readSignUpPolicy, type SignUpPolicy } from '../records/accounts/sign-up.ts';

const words: Readonly<Record<SignUpPolicy['mode'], string>> = {
  open: 'open to anybody who reaches this address',
  invitation: 'by invitation (npm run -s admin -- account invite)',
  closed: 'closed; accounts are made by: npm run -s admin -- account create',
};

/** A line for the person who starts the service: who may sign up at `/dashboard`, and how to change that. */
export async function signUpLine(databaseUrl: string): Promise<string> {
  const pool = createPool(databaseUrl, { max: 1 });
  try {
    const { mode } = await readSignUpPolicy(pool);
    return `  Sign-up       ${words[mode]}; change: npm run -s admin -- sign-up set --mode open|invitation|closed`;
  } finally {
    await pool.end();
  }
}
