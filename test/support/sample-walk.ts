import type { Page } from 'playwright-core';
import { sampleFile } from '../../infra/recordings/sample/sample-recording.ts';

/** From the landing page to an account that has accepted the terms. A second attempt of a test is another account. */
export async function signUp(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('E-mail').fill(`grace-${crypto.randomUUID().slice(0, 8)}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByLabel('I accept the').check();
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByTestId('sample-start').waitFor();
}

/** One click on the sample data, until its report is shown. Returns the id of the model. */
export async function trySample(page: Page): Promise<string> {
  await page.getByTestId('sample-start').click();
  await page.waitForURL(/\/dashboard\/models\/clf_/, { timeout: 120_000 });
  await page.getByTestId('report-verdict').waitFor();
  return page.url().split('/').at(-1)!;
}

/** Chooses the run of the sample recording that no model has seen. */
export async function chooseRecording(page: Page): Promise<void> {
  await page.getByTestId('label-file').setInputFiles({
    name: 'fists-or-feet-3.edf',
    mimeType: 'application/edf',
    buffer: sampleFile('fists-or-feet-3.edf'),
  });
  await page.getByText('for 12 trials').waitFor();
}

/** Labels the chosen trials. */
export async function label(page: Page): Promise<void> {
  await page.getByTestId('label-run').click();
  await page.getByText(/of 12 labels are right/).waitFor();
}
