import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, post, receiptOf } from '@sluice/testkit/requests';
import { countTo, FAILS_LATE } from '@sluice/testkit/statements';
import { type Browser, chromium, type Download } from 'playwright-core';

// Needs Chromium on the PATH: `node deploy/components/programs.mjs install chromium`.

let hosts: TestHosts;
let browser: Browser;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  // Chromium has no sandbox of its own for root, as whom CI runs.
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

interface Ticket {
  readonly url: string;
  readonly query_id: string;
}

async function createTicket(body: object, format = 'csv'): Promise<Ticket> {
  const ticket = await post(`${hosts.url}/tickets`, { method: 'POST', path: `/query/download/${format}`, body }, ann);
  expect(ticket.status).toBe(201);
  return ticket.body as Ticket;
}

/** Lets a page of another origin navigate to the address, and returns the download that the browser starts by itself. */
async function openLink(url: string): Promise<Download> {
  const page = await browser.newPage({ acceptDownloads: true });
  await page.setContent(`<a id="save" href="${hosts.url}${url}">Save</a>`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
  return download;
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

describe('Chromium', () => {
  it.each(['csv', 'xlsx', 'json'])(
    'saves the %s file of a ticket completely, with the bytes of its receipt',
    async (format) => {
      const ticket = await createTicket({ sql: countTo(1_000_000), filename: 'Zähler 1' }, format);
      const download = await openLink(ticket.url);
      expect(await download.failure()).toBeNull();
      expect(download.suggestedFilename()).toBe(`Zähler 1.${format}`);
      const path = await download.path();
      const receipt = await receiptOf(hosts.url, ticket.query_id, ann);
      expect(receipt).toMatchObject({ state: 'FINISHED', rows: 1_000_000, bytes: (await stat(path)).size });
      expect(await sha256OfFile(path)).toBe(receipt.sha256);
    },
  );

  it('reports a file that was cut as failed', async () => {
    const ticket = await createTicket({ sql: FAILS_LATE });
    const download = await openLink(ticket.url);
    expect(await download.failure()).toEqual(expect.any(String));
    const receipt = await finalReceipt(hosts.url, ticket.query_id, { credential: ann, withinMs: 10_000 });
    expect(receipt).toMatchObject({ state: 'FAILED', sha256: null });
  });

  it('cancels the query when the user cancels the download', async () => {
    const ticket = await createTicket({ sql: countTo(500_000_000) });
    const download = await openLink(ticket.url);
    await download.cancel();
    const receipt = await finalReceipt(hosts.url, ticket.query_id, { credential: ann, withinMs: 10_000 });
    expect(receipt).toMatchObject({ state: 'CANCELLED', sha256: null });
  });

  it('shows the error of a ticket that was used, and saves nothing', async () => {
    const ticket = await createTicket({ sql: 'SELECT 1 AS one' });
    expect(await (await openLink(ticket.url)).failure()).toBeNull();
    const page = await browser.newPage();
    const response = await page.goto(`${hosts.url}${ticket.url}`);
    expect([response?.status(), await page.textContent('body')]).toEqual([
      404,
      expect.stringContaining('POST /tickets'),
    ]);
  });

  it('cannot download for a page of another site with a saved password, and can for itself', async () => {
    // As if the browser had the password saved: Sluice itself never makes a browser ask for one. Chromium sets Sec-Fetch-Site.
    const context = await browser.newContext({ extraHTTPHeaders: { ...ann } });
    const page = await context.newPage();
    const statuses: number[] = [];
    page.on('response', (response) => statuses.push(response.status()));
    const link = `${hosts.url}/datamap/00000000-0000-0000-0000-000000000000/download/csv`;
    await page.route('http://other.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a id="save" href="${link}">Save</a>` }),
    );
    await page.goto('http://other.example/');
    await page.click('#save');
    await page.waitForURL(link);
    expect(statuses.at(-1)).toBe(403);
    await page.goto('about:blank');
    await page.goto(link);
    expect(statuses.at(-1)).toBe(404);
    await context.close();
  });
});
