import type { BuiltUser } from '@sluice/testkit';
import type { Page } from 'playwright-core';

type Credentials = Pick<BuiltUser, 'email' | 'password'>;

/** Fills the sign-in form, which is open in English or German, and sends it. */
export async function fillSignInForm(page: Page, { email, password }: Credentials): Promise<void> {
  try {
    await page.getByLabel('E-mail').fill(email);
  } catch (cause) {
    const shown = await page.locator('body').textContent();
    throw new Error(`The sign-in form is not at ${page.url()}. The page shows: ${shown?.slice(0, 2000)}`, { cause });
  }
  await page.getByLabel(/^Passwor[dt]$/).fill(password);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
}

/** Waits until the page itself has loaded, not only the frame around it. */
export const untilPageShown = (page: Page): Promise<void> => page.getByRole('heading', { level: 1 }).waitFor();

/** Opens a page of the console as a user without a session, and signs in. Returns when the page is shown. */
export async function openSignedIn(page: Page, url: string, user: Credentials): Promise<void> {
  await page.goto(url);
  await fillSignInForm(page, user);
  await untilPageShown(page);
}
