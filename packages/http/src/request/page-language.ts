import type { Reader } from '../model/route.ts';

/** Languages of the pages that hosts render. */
const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

const WEIGHT = /;\s*q=([\d.]+)/;

/** Returns the language that the reader prefers (RFC 9110, section 12.5.4), or English. */
export function pageLanguage(headers: Reader): PageLanguage {
  const wanted = (headers.get('accept-language') ?? '').split(',').map((range) => ({
    language: PAGE_LANGUAGES.find((each) => range.trim().toLowerCase().startsWith(each)),
    weight: Number(WEIGHT.exec(range)?.[1] ?? 1),
  }));
  return (
    wanted.toSorted((a, b) => b.weight - a.weight).find(({ language }) => language !== undefined)?.language ?? 'en'
  );
}
