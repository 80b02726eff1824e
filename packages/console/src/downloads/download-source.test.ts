import { describe, expect, it } from '@jest/globals';
import { DOWNLOAD_FORMATS } from '@sluice/contract';
import { ALL_FORMATS, hasOption, NO_OPTIONS } from './download-options.ts';
import { datamapSource, fullNameOf, itemSource, resultSource, statementSource } from './download-source.ts';

/** Options in the order of the contract, by their names there. */
const CONTRACT_NAMES = {
  excel_safe: 'excelSafe',
  separator: 'separator',
  bom: 'bom',
  excel_dates: 'excelDates',
  time_zone: 'timeZone',
  big_numbers: 'bigNumbersAsText',
} as const;

describe('the formats', () => {
  it('are those of the contract, with their options', () => {
    const options = ALL_FORMATS.map((format) => [
      format,
      Object.entries(CONTRACT_NAMES).flatMap(([name, option]) => (hasOption(format, option) ? [name] : [])),
    ]);
    const expected = Object.entries(DOWNLOAD_FORMATS).map(([format, row]) => [format, [...row.options]]);
    expect(Object.fromEntries(options)).toEqual(Object.fromEntries(expected));
    const offered = Object.entries(DOWNLOAD_FORMATS).flatMap(([format, { marketplaceNames }]) =>
      marketplaceNames.length > 0 ? [format] : [],
    );
    expect([...itemSource({ id: 'i', name: 'i', datamaps: 1 }).formats].sort()).toEqual(offered.sort());
  });
});

describe('the sources', () => {
  it('send only the options that the format has', () => {
    const source = statementSource({ readName: () => 'n', statement: () => ({ sql: 'SELECT 1', parameters: {} }) });
    const options = {
      excelSafe: true,
      separator: ';',
      bom: true,
      excelDates: true,
      bigNumbersAsText: true,
      timeZone: 'Europe/Berlin',
    } as const;
    expect(source.operationOf('csv', 'a/b', options)).toEqual({
      method: 'POST',
      path: '/query/download/csv',
      body: {
        sql: 'SELECT 1',
        filename: 'a b',
        time_zone: 'Europe/Berlin',
        big_numbers: 'string',
        excel_safe: true,
        separator: ';',
        bom: true,
      },
    });
    expect(source.operationOf('parquet', 'n', options)?.body).toEqual({
      sql: 'SELECT 1',
      filename: 'n',
      time_zone: 'Europe/Berlin',
    });
    expect(source.operationOf('xlsx', 'n', options)?.body).toEqual({
      sql: 'SELECT 1',
      filename: 'n',
      time_zone: 'Europe/Berlin',
      excel_dates: true,
    });
    expect(source.operationOf('csv', 'n', NO_OPTIONS)?.body).toEqual({ sql: 'SELECT 1', filename: 'n' });
    expect(statementSource({ readName: () => '', statement: () => undefined }).operationOf('csv', '', NO_OPTIONS)).toBe(
      undefined,
    );
  });

  it('name a kept result with the options of the format, without a time zone', () => {
    const source = resultSource({ queryId: 'q', rows: 2, readName: () => 'n', note: '', formats: ['ndjson', 'csv'] });
    expect([source.formats, source.kept]).toEqual([['csv', 'ndjson'], { queryId: 'q', rows: 2 }]);
    const options = { ...NO_OPTIONS, separator: ';', bom: true, excelDates: true, timeZone: 'Europe/Berlin' } as const;
    expect(source.operationOf('csv', 'a/b & c', options)).toEqual({
      method: 'GET',
      path: '/query/q/download/csv?filename=a+b+%26+c&separator=%3B&bom=true',
    });
    expect(source.operationOf('ndjson', 'n', { ...options, bigNumbersAsText: true })).toEqual({
      method: 'GET',
      path: '/query/q/download/ndjson?filename=n&big_numbers=string',
    });
  });

  it('encode ids and parameters in links', () => {
    const datamap = datamapSource({ id: 'a/b', name: 'n' }, () => ({ region: 'E&U' }));
    expect(datamap.operationOf('csv', 'n', NO_OPTIONS)).toEqual({
      method: 'GET',
      path: '/datamap/a%2Fb/download/csv?p.region=E%26U',
    });
  });

  it('repeat the name of a list in links', () => {
    const item = itemSource({ id: 'i', name: 'n', datamaps: 1 }, () => ({ codes: ['SFO', 'J&K'], day: '1' }));
    expect(item.operationOf('csv', 'n', NO_OPTIONS)).toEqual({
      method: 'GET',
      path: '/marketplace/i/download/csv?p.codes=SFO&p.codes=J%26K&p.day=1',
    });
  });

  it('name the file as the host does', () => {
    const several = itemSource({ id: 'i', name: 'pack', datamaps: 2 });
    expect(fullNameOf(several, 'pack', 'csv')).toBe('pack.zip');
    expect(fullNameOf(several, 'pack', 'xlsx')).toBe('pack.xlsx');
    expect(fullNameOf(datamapSource({ id: 'i', name: 'a.CSV' }), 'a.CSV', 'csv')).toBe('a.CSV');
  });
});
