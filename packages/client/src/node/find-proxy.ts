import { Buffer } from 'node:buffer';

/** Variables of a process, such as `process.env`. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** Proxy of a request. */
export interface HttpProxy {
  /** Name of the variable that has it, such as `HTTPS_PROXY`. */
  readonly variable: string;
  /** Address without user name and password. */
  readonly url: URL;
  /** Value of `Proxy-Authorization`, if the variable has a user name. */
  readonly authorization: string | undefined;
}

const PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Returns the name and value of a variable. Lower case comes first, as in curl. */
function readVariable(environment: ProxyEnvironment, name: string): readonly [name: string, value: string] | undefined {
  for (const each of [name.toLowerCase(), name]) {
    const value = environment[each]?.trim() ?? '';
    if (value !== '') return [each, value];
  }
  return undefined;
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/** Returns whether an entry of NO_PROXY means the host: its name or address, a domain above it, or `*`; with a port, only that port. */
function matches(entry: string, url: URL): boolean {
  if (entry === '*') return true;
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  if (port !== undefined && port !== (url.port || PORTS[url.protocol])) return false;
  const name = (bracketed ?? plain ?? entry).replace(/^\*?\./, '').toLowerCase();
  const host = withoutBrackets(url.hostname);
  return host === name || host.endsWith(`.${name}`);
}

/** Returns the value of `Proxy-Authorization` for the user name and password of a URL. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(account).toString('base64')}`;
}

function parseProxy(variable: string, text: string): HttpProxy {
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    if (url.protocol in PORTS) return { variable, url: new URL(url.origin), authorization: authorizationOf(url) };
  } catch {
    // Neither a URL nor a percent-encoded user name.
  }
  throw new TypeError(`${variable} must be the URL of an http or https proxy, such as http://proxy.example.com:3128.`);
}

/**
 * Returns the proxy that the environment has for a URL: HTTPS_PROXY for https, HTTP_PROXY for http, and none for a host that NO_PROXY
 * names. Each variable may be written in lower case.
 * @throws TypeError if the variable is not the URL of an http or https proxy
 */
export function findProxy(environment: ProxyEnvironment, url: URL): HttpProxy | undefined {
  const found = readVariable(environment, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (found === undefined) return undefined;
  const [, excluded = ''] = readVariable(environment, 'NO_PROXY') ?? [];
  const entries = excluded.split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => matches(entry, url)) ? undefined : parseProxy(...found);
}
