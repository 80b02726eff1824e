import { validateHeaderValue } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { contentDisposition } from './content-disposition.ts';

/** Parses the header as strictly as RFC 6266 section 4.1 defines it: one `filename`, at most one `filename*`, and nothing else. */
function parse(header: string): { filename: string; extended: string | undefined } {
  const match =
    /^attachment; filename=(?:([!#$&+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)")(?:; filename\*=UTF-8''([!#$&+.^_`|~0-9A-Za-z%-]+))?$/.exec(
      header,
    );
  if (match === null) throw new Error(`${header} is not a Content-Disposition that we write`);
  return {
    filename: match[1] ?? (match[2] ?? '').replaceAll(/\\(.)/g, '$1'),
    extended: match[3] === undefined ? undefined : decodeURIComponent(match[3]),
  };
}

describe('contentDisposition', () => {
  it.each([
    ['download', 'csv', 'attachment; filename=download.csv'],
    ['my-report_1.0', 'json', 'attachment; filename=my-report_1.0.json'],
    ['a b', 'csv', 'attachment; filename="a b.csv"'],
    ["it's", 'csv', `attachment; filename="it's.csv"`],
    ['a;b=c', 'csv', 'attachment; filename="a;b=c.csv"'],
  ])('sends %j of %s as the interface shows it', (name, extension, header) => {
    expect(contentDisposition(name, extension)).toBe(header);
  });

  it('does not add an extension twice, whatever its case', () => {
    expect(contentDisposition('a.csv', 'csv')).toBe('attachment; filename=a.csv');
    expect(contentDisposition('A.CSV', 'csv')).toBe('attachment; filename=A.CSV');
    expect(contentDisposition('a.csv', 'json')).toBe('attachment; filename=a.csv.json');
    expect(contentDisposition('.csv', 'csv')).toBe('attachment; filename=.csv');
  });

  const HOSTILE = [
    'a"; filename=evil.sh',
    'a"; filename*=UTF-8\'\'evil.sh; x="',
    "x'; drop",
    'a\\"b',
    'back\\slash',
    '100%',
    '%41%20',
    "UTF-8''evil",
    'a; filename=evil.sh',
    'naïve café',
    'отчёт за май',
    '報告',
    '😀😀',
    'é'.repeat(200),
    '*',
    '(1)',
    ' ',
    'CON',
    'a,b',
    '=?utf-8?Q?evil?=',
    '\u00a0',
    'ﬁle',
  ];

  it.each(HOSTILE)('is one header with one name, and clients read exactly that name: %j', (name) => {
    const header = contentDisposition(name, 'csv');
    expect(() => validateHeaderValue('content-disposition', header)).not.toThrow();
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    const { filename, extended } = parse(header);
    expect(extended ?? filename).toBe(`${name}.csv`);
    expect(filename).toMatch(/\.csv$/);
  });

  it.each(['\u202efdp.exe', 'a\u2028b', '\ufeffa', 'a\u2066b\u2069', 'a\u200fb'])(
    'replaces characters that make a name look like another one: %j',
    (name) => {
      const { filename, extended } = parse(contentDisposition(name, 'csv'));
      const shown = `${name.replaceAll(/[^a-z.]/g, '_')}.csv`;
      expect([filename, extended ?? filename]).toEqual([shown, shown]);
    },
  );

  it('gives old clients an ASCII fallback that cannot end a quote', () => {
    expect(contentDisposition('ä"%\\😀', 'csv')).toBe(
      `attachment; filename="_____.csv"; filename*=UTF-8''%C3%A4%22%25%5C%F0%9F%98%80.csv`,
    );
    expect(parse(contentDisposition("(é'*)", 'csv')).extended).toBe("(é'*).csv");
  });
});
