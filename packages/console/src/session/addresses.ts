/** Tenant and base URLs, which the API host writes into the head of the page (services/api-host/src/pages/console-page.ts). */
export interface ConsoleAddresses {
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
}

/**
 * Reads the addresses from the `<meta>` elements of the page.
 * @throws Error when the page was not rendered by the API host
 */
export function readAddresses(page: Document): ConsoleAddresses {
  const read = (name: string): string => {
    const content = page.querySelector(`meta[name="sluice-${name}"]`)?.getAttribute('content') ?? '';
    if (content === '') throw new Error(`The page has no <meta name="sluice-${name}">. Open it at the API host.`);
    return content;
  };
  return { tenant: read('tenant'), apiUrl: read('api-url'), streamUrl: read('stream-url') };
}
