import type { BuiltUser } from '@sluice/testkit';
import { send } from '@sluice/testkit';
import { idtoken, logIn } from '@sluice/testkit/requests';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleHosts } from './console-hosts.ts';

export const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text }).first();
export const dialogOf = (page: Page): Locator => page.getByRole('dialog');

/** Opens the dialog of a user and waits until its roles are shown. */
export async function openUser(page: Page, email: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Part of an e-mail address' }).fill(email);
  await rowOf(page, email).click();
  await roleBox(page, 'analyst').waitFor({ state: 'attached' });
}

/** Checkbox of a role in the open dialog. */
export const roleBox = (page: Page, role: string): Locator =>
  dialogOf(page).getByRole('checkbox', { name: new RegExp(`^${role}`) });

/** Selects or clears a role or permission in the open dialog. */
export const toggle = (page: Page, name: string): Promise<void> =>
  dialogOf(page).getByText(name, { exact: true }).click();

export const press = (page: Page, name: string): Promise<void> =>
  dialogOf(page).getByRole('button', { name, exact: true }).click();

/** The API host as an administrator calls it. */
export interface AdminApi {
  call(method: string, path: string, body?: object): ReturnType<typeof send>;
  rolesOf(email: string): Promise<readonly string[]>;
}

export async function createAdminApi({ hosts }: ConsoleHosts, admin: BuiltUser): Promise<AdminApi> {
  const { id_token: token } = await logIn({ api: hosts.api }, admin);
  const call: AdminApi['call'] = (method, path, body) =>
    send(`${hosts.api.url}${path}`, {
      method,
      headers: { ...idtoken(token), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    call,
    rolesOf: async (email) => (await call('GET', `/admin/users?q=${encodeURIComponent(email)}`)).body.data[0].roles,
  };
}
