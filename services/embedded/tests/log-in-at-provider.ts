/** Page that a browser shows after all redirects. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const REDIRECTS_MAX = 10;

/** Opens an address, or sends a form to it. */
export type Browse = (url: string, form?: URLSearchParams) => Promise<Page>;

/** Creates a browser without scripts that follows redirects and keeps the cookies of each host. */
export function createBrowser(): Browse {
  const cookies = new Map<string, Map<string, string>>();

  return async (first: string, form?: URLSearchParams): Promise<Page> => {
    let url = first;
    let body = form;
    for (let hops = 0; hops < REDIRECTS_MAX; hops += 1) {
      const { host } = new URL(url);
      const jar = cookies.get(host) ?? new Map<string, string>();
      cookies.set(host, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = body === undefined ? {} : { method: 'POST', body: body.toString() };
      const headers = {
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(url).origin }),
        ...(cookie === '' ? {} : { cookie }),
      };
      const response = await fetch(url, { redirect: 'manual', headers, ...sent });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url).href;
      body = undefined;
    }
    throw new Error(`more than ${REDIRECTS_MAX} redirects, at last to ${url}`);
  };
}

/** Opens a login in a browser, submits the provider's form and returns the resulting page. */
export async function logInAtProvider(
  loginUrl: string,
  email: string,
  password: string,
  browse: Browse = createBrowser(),
): Promise<Page> {
  const { url, text } = await browse(loginUrl);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
  if (action === '') throw new Error(`there is no form at ${url}: ${text}`);
  return browse(new URL(action, url).href, new URLSearchParams({ email, password }));
}
