import { dirname, join } from 'node:path';

/** Module that keeps the event loop busy, as a pool does that connects again and again. */
export const CONNECTS_FOR_EVER = 'setInterval(() => undefined, 5);';
/** Module whose `fetch` writes to stderr and ignores its signal. */
export const NEVER_SETTLES = `${CONNECTS_FOR_EVER}
globalThis.fetch = () => { process.stderr.write('requested\\n'); return new Promise(() => undefined); };`;

/** Environment of a process that runs a module first, and then is like one whose libraries do what the module does. */
export const withModule = (home: string, source: string): Readonly<Record<string, string>> => ({
  PATH: dirname(process.execPath),
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  SLUICE_API_URL: 'http://127.0.0.1:1',
  SLUICE_STREAM_URL: 'http://127.0.0.1:1',
  SLUICE_TENANT: 'acme',
  SLUICE_CLIENT_ID: 'etl',
  SLUICE_CLIENT_SECRET: 'secret',
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}`,
});
