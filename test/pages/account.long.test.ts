import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { makeInvitation } from '../../infra/records/accounts/links.ts';
import { setSignUpPolicy } from '../../infra/records/accounts/sign-up.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { send } from '../support/api.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { lookAt, watchedPage, type WatchedPage } from '../support/chromium-page.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { base64, createBody, nested } from '../support/requests.ts';

/** One person's way through the account pages, each page looked at by axe and kept as a picture. */

const email = 'ada@example.org';
const first = 'correct horse battery';
const second = 'staple of another kind';

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let watched: WatchedPage;
let page: Page;
let liveKey = '';
beforeAll(async () => {
  if (chromiumMissing) return;
  [service, browser] = await Promise.all([startPagesService(), openBrowser()]);
  watched = await watchedPage(browser, service.origin, {
    bypassCSP: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const step = it.skipIf(chromiumMissing);

const heading = (name: string, level = 1) => page.getByRole('heading', { level, name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const go = async (path: string, title: string): Promise<void> => {
  await page.goto(`/dashboard${path}`);
  await heading(title).waitFor();
  await page.waitForFunction(`document.querySelector('.waiting') === null`);
};
/** What axe and the pictures' widths said of all pages; the last test reads it. */
const faults: string[] = [];
const looksGood = async (name: string): Promise<void> => void faults.push(...(await lookAt(page, name)));
/** Browsers say of every answer of 4xx that it failed; that there was one is the test's own doing. */
const expectNoComplaint = (): void => {
  const complaints = watched.complaints.splice(0);
  expect(complaints.filter((each) => !/Failed to load resource.*status of 4\d\d/.test(each))).toEqual([]);
};

step('a visitor is sent to sign in, and sees what the operator chose for signing up', async () => {
  const { pool } = service.api.database;
  await page.goto('/dashboard/keys');
  await heading('Sign in').waitFor();
  expect(page.url()).toContain('/dashboard/sign-in?next=%2Fdashboard%2Fkeys');
  await looksGood('sign-in');
  await button('Sign in').click();
  await expect.poll(() => page.locator('input:invalid').count()).toBe(2);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await button('Sign in').click();
  await page.getByText('The e-mail address or the password is wrong.').first().waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password');
  await looksGood('sign-in-refused');
  await setSignUpPolicy(pool, { mode: 'closed' });
  await go('/sign-up', 'Sign up');
  await page.getByText('The operator of this service makes accounts').waitFor();
  await looksGood('sign-up-closed');
  await setSignUpPolicy(pool, { mode: 'invitation' });
  await go('/sign-up', 'Sign up');
  await page.getByText('Accounts are made by invitation').waitFor();
  await go('/no-such-page', 'No such page');
  await looksGood('no-such-page');
  await go('/terms', 'Terms of service');
  await page.getByText('not a medical device', { exact: false }).first().waitFor();
  await looksGood('terms-visitor');
  await go('/reset', 'Set a new password');
  await looksGood('reset-without-link');
  await go('/link', 'Signing in');
  expectNoComplaint();
});

step('signing up by an invitation in the fragment, which leaves the address at once', async () => {
  const { token } = await makeInvitation(service.api.database.pool, { email, microUsd: null });
  await page.goto(`/dashboard/sign-up#invitation=${token}`);
  await page.getByLabel('E-mail').waitFor();
  expect(page.url()).toBe(`${service.origin}/dashboard/sign-up`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await button('Sign up').click();
  await page.getByText('The password has 5 characters', { exact: false }).first().waitFor();
  const field = page.getByLabel('Password', { exact: true });
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  const described = (await field.getAttribute('aria-describedby'))!.split(' ')[0];
  expect(await page.locator(`[id="${described}"]`).textContent()).toContain('5 characters');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password');
  await looksGood('sign-up-refused');
  await page.getByRole('button', { name: 'Show password' }).click();
  await field.fill(first);
  await button('Sign up').click();
  await heading('Overview').waitFor();
  await page.getByText('$5.00').waitFor();
  await looksGood('overview-first');
  expectNoComplaint();
});

step('there is no key before the terms are accepted', async () => {
  await go('/keys', 'Keys');
  await page.getByText('Before a key can be made').waitFor();
  expect(await button('New key').count()).toBe(0);
  await looksGood('keys-before-terms');
  await page.getByRole('link', { name: 'terms of service', exact: true }).click();
  await heading('Terms of service').waitFor();
  await button('Accept these terms').click();
  await page.getByText('You accepted this version').waitFor();
  await looksGood('terms-accepted');
  expectNoComplaint();
});

/** Makes a key of a mode; the whole key. */
async function makeKey(name: string, mode: 'Live' | 'Test'): Promise<string> {
  await button('New key').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('radio', { name: mode }).check();
  await button('Make the key').click();
  const shown = page.getByRole('region', { name: `The key “${name}”` });
  await shown.waitFor();
  return (await shown.locator('code').textContent())!;
}

step('a key is shown once and copied; refused fields are named; the key works', async () => {
  await go('/keys', 'Keys');
  await button('New key').click();
  await page.getByText('Restrict it further').click();
  await looksGood('keys-create');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('lab server');
  await page.getByLabel('Addresses').fill('203.0.113.7, nowhere');
  await button('Make the key').click();
  await page.locator('textarea[aria-invalid="true"]').waitFor();
  await looksGood('keys-create-refused');
  await button('Cancel').click();
  const key = await makeKey('<script>alert(1)</script>', 'Test');
  expect(key).toMatch(/^eeg_test_/);
  await button('Copy key').click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  await looksGood('keys-shown-once');
  await button('I have stored it').click();
  expect(await page.content()).not.toContain(key);
  liveKey = await makeKey('lab server', 'Live');
  const answer = await send(service.api.app, liveKey, 'GET', '/v1/usage');
  expect(answer.status).toBe(200);
  await go('/keys', 'Keys');
  await looksGood('keys');
  expectNoComplaint();
});

step('what a key did is in billing, usage, the log and the overview', async () => {
  const { app, database } = service.api;
  const small = createBody({ x: base64(nested()), shape: [12, 3, 80], name: 'left or right' });
  const model = await send(app, liveKey, 'POST', '/v1/task-models', small);
  expect(model.status).toBe(201);
  const { description: _d, labels: _l, name: _n, ...trials } = small;
  for (let i = 0; i < 3; i++)
    expect((await send(app, liveKey, 'POST', `/v1/task-models/${model.body.id}/predictions`, trials)).status).toBe(200);
  expect((await send(app, liveKey, 'POST', '/v1/task-models', {})).status).toBe(422);
  const { rows } = await database.admin.query('SELECT id FROM accounts WHERE email = $1', [email]);
  for (let i = 0; i < 60; i++)
    await transaction(database.pool, (sql) =>
      credit(sql, { accountId: rows[0].id, amount: 10_000n, source: 'operator', at: new Date() }),
    );
  await go('', 'Overview');
  await page.getByRole('link', { name: 'left or right' }).waitFor();
  await looksGood('overview');
  await go('/billing', 'Billing');
  await looksGood('billing');
  const lines = () => page.locator('tbody tr').count();
  const before = await lines();
  await button('Show older').click();
  await page.getByText('Free credit').waitFor();
  expect(await lines()).toBeGreaterThan(before);
  await page.getByText('Create fee').waitFor();
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as CSV' }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/\.csv$/);
  await go('/usage', 'Usage');
  await page.locator('.bars svg').first().waitFor();
  await looksGood('usage');
  await go('/requests', 'Request log');
  await looksGood('requests');
  await page.getByLabel('Show').selectOption('ok');
  await page.waitForFunction(`[...document.querySelectorAll('tbody tr')].every((row) => /20[01]/.test(row.innerText))`);
  await page.getByLabel('Show').selectOption('INVALID_REQUEST');
  await page.locator('tbody tr').first().waitFor();
  await page.waitForFunction(`[...document.querySelectorAll('tbody tr')].every((row) => /422/.test(row.innerText))`);
  await page.getByLabel('Show').selectOption('INSUFFICIENT_CREDIT');
  await page.getByText('No request was answered with INSUFFICIENT_CREDIT.').waitFor();
  expectNoComplaint();
});

step('caps are saved, a wrong amount is named, and the password is changed', async () => {
  await go('/settings', 'Settings');
  await looksGood('settings');
  const daily = page.getByLabel('Daily cap in US dollars');
  await daily.fill('plenty');
  await button('Save the caps').click();
  await page.locator('input[aria-invalid="true"]').waitFor();
  await looksGood('settings-refused');
  await daily.fill('5');
  await button('Save the caps').click();
  await page.getByText('The spending caps are saved.').waitFor();
  await page.getByText('of the cap', { exact: false }).waitFor();
  await page.getByLabel('Current password', { exact: true }).fill('not this one');
  await page.getByLabel('New password', { exact: true }).fill(second);
  await button('Change the password').click();
  await page.getByText('The password is wrong.').first().waitFor();
  await page.getByLabel('Current password', { exact: true }).fill(first);
  await button('Change the password').click();
  await page.getByText('Your password is changed.').waitFor();
  const [all] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download everything' }).click(),
  ]);
  expect(all.suggestedFilename()).toMatch(/\.json$/);
  await button('Close the account …').click();
  await page.getByRole('dialog', { name: 'Close this account?' }).waitFor();
  await looksGood('settings-close');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expectNoComplaint();
});

step('a key is rotated and revoked, and then answers nothing', async () => {
  await go('/keys', 'Keys');
  await button('Rotate lab server').click();
  await button('Make its successor').click();
  await page.getByRole('region', { name: 'The key “lab server (2)”' }).waitFor();
  expect(await button('New key').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Rotate/ }).count()).toBe(0);
  await button('I have stored it').click();
  await button('Rotate lab server (2)').waitFor();
  await button('Revoke lab server (2)').waitFor();
  await button('Revoke lab server').click();
  await page.getByRole('dialog', { name: 'Revoke “lab server”?' }).waitFor();
  await looksGood('keys-revoke');
  await button('Revoke the key').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await button('Revoke lab server').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Keys');
  await page.getByText('revoked 20').waitFor();
  expect((await send(service.api.app, liveKey, 'GET', '/v1/usage')).status).toBe(401);
  await looksGood('keys-revoked');
  expectNoComplaint();
});

/** Presses Tab until what has the focus is named so. */
async function tabTo(name: RegExp): Promise<void> {
  const words = `(() => { const { activeElement: at } = document;
    return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent; })()`;
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if (name.test(String(await page.evaluate(words)))) return;
  }
  throw new Error(`Tab reaches nothing that is named ${name}.`);
}

step('by keyboard alone: signing out everywhere, skipping to the content, signing in', async () => {
  await go('/settings', 'Settings');
  await tabTo(/^Sign out everywhere$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Sign out everywhere?' }).waitFor();
  await tabTo(/^Sign out everywhere$/);
  await page.keyboard.press('Enter');
  await heading('Sign in').waitFor();
  await page.reload();
  await heading('Sign in').waitFor();
  await tabTo(/^Skip to content$/);
  await page.keyboard.press('Enter');
  await tabTo(/^E-mail$/);
  await page.keyboard.type(email);
  await tabTo(/^Password$/);
  await page.keyboard.type(second);
  await page.keyboard.press('Enter');
  await heading('Overview').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await button('Menu').focus();
  await page.keyboard.press('Enter');
  await looksGood('menu');
  expectNoComplaint();
});

step('a link of the operator sets a new password and ends the other sessions', async () => {
  const { rows } = await service.api.database.admin.query('SELECT id FROM accounts WHERE email = $1', [email]);
  const { context, page: other } = await watchedPage(browser, service.origin);
  await other.goto(await service.link('reset', rows[0].id));
  await other.getByLabel('New password', { exact: true }).fill(first);
  await other.getByRole('button', { name: 'Set the password' }).click();
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(other.url()).toBe(`${service.origin}/dashboard`);
  await context.close();
  await page.goto('/dashboard/billing');
  await heading('Sign in').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(first);
  await button('Sign in').click();
  await heading('Billing').waitFor();
  expectNoComplaint();
});

step('a session that ended or was begun anew elsewhere loses nothing that was filled in', async () => {
  const { admin } = service.api.database;
  await go('/settings', 'Settings');
  const cap = page.getByLabel('Daily cap in US dollars');
  await cap.fill('5,50');
  await button('Save the caps').click();
  await page.getByText('must be an amount such as 5 or 5.50, at most six decimals.').first().waitFor();
  await cap.fill('7.25');
  await admin.query('DELETE FROM sessions');
  await button('Save the caps').click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(first);
  await looksGood('session-ended');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => cap.inputValue()).toBe('7.25');
  const again = `fetch('/dashboard/api/sign-in', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify(${JSON.stringify({ email, password: first })}) }).then(({ status }) => status)`;
  expect(await page.evaluate(again)).toBe(200);
  await button('Save the caps').click();
  await page.getByText('The spending caps are saved.').waitFor();
  expectNoComplaint();
});

step('an outage signs nobody out, neither in words nor by itself', async () => {
  const out = { status: 503, json: { code: 'POOL_UNAVAILABLE', message: 'Out.', alternatives: [], details: {} } };
  await page.route('**/dashboard/api/sign-out', (route) => route.fulfill(out));
  await button('Sign out').click();
  await page.getByText('You are still signed in. Out.').waitFor();
  await heading('Settings').waitFor();
  await page.route('**/dashboard/api/me', (route) => route.fulfill(out));
  await page.goto('/dashboard/billing');
  await page.getByText('Out.', { exact: true }).waitFor();
  await page.unroute('**/dashboard/api/me');
  await page.unroute('**/dashboard/api/sign-out');
  await button('Try again').click();
  await heading('Billing').waitFor();
  watched.complaints.splice(0);
});

step('an account is closed by naming it, and nobody is signed in afterwards', async () => {
  await go('/settings', 'Settings');
  await button('Close the account …').click();
  const dialog = page.getByRole('dialog', { name: 'Close this account?' });
  await dialog.getByLabel("The account's e-mail").fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(first);
  await dialog.getByRole('button', { name: 'Close the account for good' }).click();
  await heading('Sign in').waitFor();
  await page.getByText('is closed.').waitFor();
  await page.goto('/dashboard');
  await heading('Sign in').waitFor();
  expectNoComplaint();
});

step('axe finds nothing on any page, and none is wider than its screen', () => {
  expect(faults).toEqual([]);
});
