/** Location of a browser after the redirects. */
export interface Place {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Visit {
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** Stops before a request to this path. */
  readonly until?: string;
}

const REDIRECTS_MAX = 15;

/** A browser without scripts: follows redirects, and keeps the cookies of each host. */
export function createKeycloakBrowser() {
  const cookies = new Map<string, Map<string, string>>();

  const ask = async (url: string, { form, headers = {} }: Visit): Promise<Response> => {
    const { host } = new URL(url);
    const jar = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };

  const visit = async (first: string, wish: Visit = {}): Promise<Place> => {
    let url = first;
    let next = wish;
    for (let hops = 0; hops < REDIRECTS_MAX; hops += 1) {
      const answer = await ask(url, next);
      const { status, headers } = answer;
      const location = headers.get('location');
      const target = location === null ? undefined : new URL(location, url).href;
      if (target === undefined) return { url, status, headers, text: await answer.text() };
      if (wish.until !== undefined && target.includes(wish.until)) return { url: target, status, headers, text: '' };
      url = target;
      next = {};
    }
    throw new Error(`it redirects for ever, at last to ${url}`);
  };

  /** Fills in Keycloak's login page. */
  const fillIn = ({ text, url }: Place, user: string, wish: Pick<Visit, 'until'> = {}): Promise<Place> => {
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    if (action === '') throw new Error(`there is no form at ${url}`);
    const form = { username: user, password: `${user}-at-keycloak` };
    return visit(new URL(action.replaceAll('&amp;', '&'), url).href, { ...wish, form });
  };

  return { visit, fillIn };
}
