/** Where a browser is, after the redirects. */
interface Place {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const REDIRECTS_MAX = 10;

/** A browser without scripts: follows redirects, and keeps the cookies of each host. */
function createBrowser() {
  const cookies = new Map<string, Map<string, string>>();

  return async (first: string, form?: URLSearchParams): Promise<Place> => {
    let url = first;
    let body = form;
    for (let hops = 0; hops < REDIRECTS_MAX; hops += 1) {
      const { host } = new URL(url);
      const jar = cookies.get(host) ?? new Map<string, string>();
      cookies.set(host, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = body === undefined ? {} : { method: 'POST', body: body.toString() };
      const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(cookie === '' ? {} : { cookie }) };
      const answer = await fetch(url, { redirect: 'manual', headers, ...sent });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) return { url, status: answer.status, text: await answer.text() };
      url = new URL(location, url).href;
      body = undefined;
    }
    throw new Error(`it redirects for ever, at last to ${url}`);
  };
}

/** Opens a login in a browser, fills the provider's form in, and answers where that leads. */
export async function logInAtProvider(loginUrl: string, email: string, password: string): Promise<Place> {
  const browse = createBrowser();
  const { url, text } = await browse(loginUrl);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
  if (action === '') throw new Error(`there is no form at ${url}: ${text}`);
  return browse(new URL(action, url).href, new URLSearchParams({ email, password }));
}
