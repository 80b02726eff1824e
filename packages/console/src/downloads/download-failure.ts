import { SluiceError } from '@sluice/client';
import type { DownloadFailure } from './download-state.ts';
import { FileTooLargeError } from './fetch-file.ts';

/** Failures that this page finds. The message catalog has their sentences. */
export const PAGE_FAILURES = ['not_started', 'too_large', 'different', 'page_left', 'released'] as const;
export type PageFailure = (typeof PAGE_FAILURES)[number];

/** Returns a failure that this page has found. */
export const pageFailure = (code: PageFailure): DownloadFailure => ({ code, message: '', requestId: undefined });

export const isPageFailure = (code: string): code is PageFailure => (PAGE_FAILURES as readonly string[]).includes(code);

/** Returns what to show of an error. */
export function failureOf(error: unknown): DownloadFailure {
  if (error instanceof FileTooLargeError) return pageFailure('too_large');
  if (error instanceof SluiceError) return { code: error.code, message: error.message, requestId: error.requestId };
  return {
    code: 'console_error',
    message: error instanceof Error ? error.message : String(error),
    requestId: undefined,
  };
}
