import { z } from 'zod';
import { type DownloadFormatName, downloadFormats } from '../queries/download-formats.ts';
import { linkQuery } from '../queries/link-parameters.ts';

const names = downloadFormats.map(([name]) => name) as [DownloadFormatName, ...DownloadFormatName[]];

export const datamapDownloadParams = z.strictObject({
  id: z.string(),
  format: z.enum(names, { error: `format must be one of ${names.join(', ')}` }),
});

export const datamapDownloadQuery = linkQuery({});
