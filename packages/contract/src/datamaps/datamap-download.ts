import { z } from 'zod';
import { type DownloadFormatName, downloadFormats } from '../queries/download-formats.ts';

const names = downloadFormats.map(([name]) => name) as [DownloadFormatName, ...DownloadFormatName[]];

export const datamapDownloadParams = z.strictObject({
  id: z.string(),
  format: z.enum(names, { error: `format must be one of ${names.join(', ')}` }),
});
