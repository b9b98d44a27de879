import { fetchPublicFiles, publicRecordings, publicRecordingsFolder } from './public-recordings.ts';

/**
 * `npm run public-recordings`: fetches the EDF and BDF test files of pyedflib, edfio, EDF.jl and MNE into the user's
 * cache folder, by repository and commit, and checks their SHA-256. Tests of both readers read them there.
 */
const failed = await fetchPublicFiles(publicRecordings);
for (const sentence of failed) process.stderr.write(`${sentence}\n`);
const present = publicRecordings.length - failed.length;
process.stdout.write(`${present} of ${publicRecordings.length} files are in ${publicRecordingsFolder()}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
