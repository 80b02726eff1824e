import { setTimeout as wait } from 'node:timers/promises';
import type { BuiltUser } from '@sluice/testkit';
import { send } from '@sluice/testkit';
import type { ScrapedHosts } from '@sluice/testkit/hosts';
import { basic, basicOf, idtoken, logIn, post } from '@sluice/testkit/requests';
import { countTo, MISSPELT } from '@sluice/testkit/statements';

const PAUSE_MS = 250;
/** A name is throttled after a few wrong passwords. */
let guesses = 0;

/** Sends one request of each kind: results in three formats, a failed statement, logins, a wrong password, a missing permission. */
async function sendMix({ apiUrl, stream, hosts }: ScrapedHosts, users: { ann: BuiltUser; auditor: BuiltUser }) {
  const { ann, auditor } = users;
  const { id_token: token } = await logIn({ api: { ...hosts.api, url: apiUrl } }, ann);
  const credential = idtoken(token);
  const statuses: number[] = [];
  guesses += 1;
  const responses = [
    post(`${stream.url}/query`, { sql: countTo(1000) }, credential),
    post(`${stream.url}/query/download/csv`, { sql: countTo(1000) }, credential),
    post(`${stream.url}/query/download/json`, { sql: 'SELECT 1 AS n' }, basicOf(ann)),
    post(`${stream.url}/query`, { sql: MISSPELT.sql }, credential),
    post(`${stream.url}/query`, { sql: 'SELECT 1' }, basic(`nobody-${guesses}@acme.example`, 'wrong')),
    post(`${stream.url}/query`, { sql: 'SELECT 1' }, basicOf(auditor)),
    send(`${stream.url}/query`, { headers: { ...credential } }),
  ];
  for (const response of responses) statuses.push((await response).status);
  return statuses;
}

/** Sends a mix of requests until the returned function is called, which resolves with all statuses. */
export async function startMixedLoad(scraped: ScrapedHosts): Promise<() => Promise<ReadonlySet<number>>> {
  const { build, acme } = scraped.hosts;
  const users = { ann: await build.user(acme), auditor: await build.user(acme, { roles: ['auditor'] }) };
  const statuses = new Set<number>();
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      for (const status of await sendMix(scraped, users)) statuses.add(status);
      await wait(PAUSE_MS);
    }
  })();
  return async () => {
    isOver = true;
    await sending;
    return statuses;
  };
}
