import { expect, it } from '@jest/globals';
import { downloadFormats } from '@sluice/contract';
import { DOWNLOAD_FORMATS, ITEM_FORMATS } from './download-formats.ts';

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());

it('has every format of the contract with its options', () => {
  const expected = downloadFormats.map(([name, { label, extension, assembly, options }]) => [
    name,
    { label, extension, isText: assembly === 'text', options: options.map(camelCase) },
  ]);
  expect(DOWNLOAD_FORMATS).toEqual(Object.fromEntries(expected));
});

it('has every format of the marketplace', () => {
  const offered = downloadFormats.flatMap(([name, { marketplaceNames }]) =>
    marketplaceNames.length > 0 ? [name] : [],
  );
  expect([...ITEM_FORMATS].sort()).toEqual(offered.sort());
});
