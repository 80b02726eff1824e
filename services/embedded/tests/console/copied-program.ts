import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clipboardText } from './query-page.ts';

interface ProgramOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a program to its end, and returns what it printed. The hosts are in this process, so it must not wait synchronously. */
export async function runProgram(
  command: readonly string[],
  { cwd, env, input = '' }: ProgramOptions,
): Promise<string> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd, env });
  const ended = once(child, 'close');
  child.stdin.end(input);
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  expect([code, errors]).toEqual([0, expect.anything()]);
  return printed;
}

/** Copies the program of an object for a language, which the menu names. */
export async function copyProgram(page: Page, language: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: language }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return await clipboardText(page);
}

/** Opens the address that a program names for users of single sign-on, and returns the `access_token` that the page shows. */
export async function readToken(tab: Page, program: string): Promise<string> {
  const [address = ''] = /http:\S+\/auth\/login\/\w+/.exec(program) ?? [];
  await tab.goto(address);
  await tab.getByText('"access_token"').waitFor();
  const [, token = ''] = /"access_token":"([^"]+)"/.exec((await tab.textContent('body')) ?? '') ?? [];
  return token;
}
