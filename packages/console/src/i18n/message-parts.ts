/** Parts of the catalogs that only some pages need, by the beginnings of their keys. All other messages are in the part `base`. */
const PARTS_OF_PAGES = {
  account: ['account.'],
  admin: ['admin.'],
  audit: ['audit.'],
  describe: ['describe.'],
  mails: ['mails.'],
  market: ['item.', 'market.', 'requests.'],
  query: ['editor.', 'history.', 'kept.'],
  rows: ['chart.', 'grid.', 'panel.', 'run.'],
  steward: ['export.', 'import.', 'lifecycle.'],
} as const;

/** Part of the catalogs that a page needs besides `base`. */
export type PageMessages = keyof typeof PARTS_OF_PAGES;

/** Part of the catalogs, a file of its own in each language. */
export type MessagePart = PageMessages | 'base';

export const MESSAGE_PARTS: readonly MessagePart[] = ['base', ...(Object.keys(PARTS_OF_PAGES) as PageMessages[])];

/** Returns the part of a key, or of the beginning of a key. */
export function partOf(key: string): MessagePart {
  const found = Object.entries(PARTS_OF_PAGES).find(([, beginnings]) =>
    beginnings.some((each) => key.startsWith(each)),
  );
  return (found?.[0] as PageMessages | undefined) ?? 'base';
}
