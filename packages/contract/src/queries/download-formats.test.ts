import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import {
  type DownloadFormatName,
  downloadFormats,
  MARKETPLACE_FORMATS,
  marketplaceFormat,
} from './download-formats.ts';
import { downloadOperation } from './download-operations.ts';

const fieldsOf = (name: DownloadFormatName): string[] =>
  Object.keys((downloadOperation(name).body.schema as unknown as z.ZodObject).shape);

describe('the table of download formats', () => {
  it('names the media type and extension of each file', () => {
    expect(downloadFormats.map(([name, { mediaType, extension }]) => [name, mediaType, extension])).toEqual([
      ['csv', 'text/csv', 'csv'],
      ['json', 'application/json', 'json'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
      ['parquet', 'application/vnd.apache.parquet', 'parquet'],
      ['ndjson', 'application/x-ndjson', 'ndjson'],
    ]);
  });

  it('sets path and body fields of each operation', () => {
    expect(downloadFormats.map(([name]) => [downloadOperation(name).path, ...fieldsOf(name)])).toEqual([
      [
        ...['/query/download/csv', 'sql', 'parameters', 'filename'],
        ...['excel_safe', 'separator', 'bom', 'time_zone', 'big_numbers'],
      ],
      ['/query/download/json', 'sql', 'parameters', 'filename', 'time_zone', 'big_numbers'],
      ['/query/download/xlsx', 'sql', 'parameters', 'filename', 'excel_dates', 'time_zone'],
      ['/query/download/parquet', 'sql', 'parameters', 'filename', 'time_zone'],
      ['/query/download/ndjson', 'sql', 'parameters', 'filename', 'time_zone', 'big_numbers'],
    ]);
  });

  it('names the formats of the marketplace, xl as another name of xlsx', () => {
    expect(MARKETPLACE_FORMATS.map((name) => [name, marketplaceFormat(name)])).toEqual([
      ['csv', 'csv'],
      ['json', 'json'],
      ['xlsx', 'xlsx'],
      ['xl', 'xlsx'],
      ['ndjson', 'ndjson'],
    ]);
  });

  it('requires a capability of the engine for Parquet alone', () => {
    expect(downloadFormats.filter(([, { requires }]) => requires !== undefined).map(([name]) => name)).toEqual([
      'parquet',
    ]);
  });
});
