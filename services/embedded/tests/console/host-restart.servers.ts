import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildHost, startChildHost } from '@sluice/testkit/hosts';
import { countTo, LONG } from '@sluice/testkit/statements';
import type { Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import type { ConsoleHosts } from './console-hosts.ts';
import { type DownloadsFixture, startDownloadsFixture } from './downloads-fixture.ts';
import { newestDownload, saveToFile, sha256OfFile, untilDownload } from './downloads-page.ts';
import { statementEditor } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';

/** A host that died is noticed by the missing heartbeats, by a host that has been up for as long. */
const HOST_SILENCE = '5s';
const UNTIL_NOTICED_MS = 100_000;

let fixture: DownloadsFixture;
let console: ConsoleHosts;
let page: Page;
let host: ChildHost;
/** Starts the stream host as a process of its own, at the address where the page looks for it. */
const startHost = (): Promise<ChildHost> =>
  startChildHost(console.hosts, { DRAIN_GRACE: '0s' }, Number(console.hosts.environment['STREAM_PORT']));

beforeAll(async () => {
  fixture = await startDownloadsFixture({ HOST_SILENCE });
  ({ console, page } = fixture);
  await console.hosts.stream.drain();
  host = await startHost();
}, 180_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await fixture?.[Symbol.asyncDispose]();
});

/** Starts a download that lasts until the end of the host. Returns when its first rows are counted. */
async function startLongDownload(): Promise<{ failure(): Promise<string | null> }> {
  console.stream.damage('/tickets/', { kind: 'slow', afterBytes: 200_000, bytesPerSecond: 100_000 });
  const download = await saveToFile(page, LONG);
  await newestDownload(page)
    .getByText(/ rows$/)
    .waitFor();
  return download;
}

/** Downloads a file from the host that is up now, and compares it with what the page shows. */
async function downloadAgain(): Promise<void> {
  await fixture.reset();
  const download = await saveToFile(page, countTo(1000));
  await untilDownload(page, 'Sent');
  expect(await newestDownload(page).textContent()).toContain(await sha256OfFile(await download.path()));
}

describe('a download during which the host', () => {
  it('restarts is not called whole, and can be repeated', async () => {
    const download = await startLongDownload();
    host.child.kill('SIGTERM');
    await host.exited;
    expect(await download.failure()).not.toBeNull();
    host = await startHost();
    await newestDownload(page)
      .getByRole('strong')
      .getByText(/^(?:Failed|Incomplete)$/)
      .waitFor();
    expect(await newestDownload(page).textContent()).toContain('is incomplete: delete it');
    await takeScreenshot(page, 'downloads-host-restarted');
    expect(await statementEditor(page).textContent()).toBe(LONG);
    await downloadAgain();
  });

  it('is killed has an unknown outcome as soon as another host notices, and can be repeated', async () => {
    const download = await startLongDownload();
    host.child.kill('SIGKILL');
    await host.exited;
    expect(await download.failure()).not.toBeNull();
    await newestDownload(page).getByText('does not report progress').waitFor();
    host = await startHost();
    const state = newestDownload(page).getByRole('strong').getByText('Outcome unknown', { exact: true });
    await state.waitFor({ timeout: UNTIL_NOTICED_MS });
    expect(await newestDownload(page).textContent()).toContain('Delete it and download it again.');
    await takeScreenshot(page, 'downloads-host-killed');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await fixture.newestReceipts(1)).toMatchObject([{ state: 'UNKNOWN' }]);
    await downloadAgain();
  }, 240_000);
});
