import { invalidRequest } from '@sluice/contract';
import type { DownloadRoute } from './download-route.ts';

/** A download with the parts of its path. */
export interface FoundDownload {
  readonly download: DownloadRoute;
  /** Decoded parts of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Query string without `?`. */
  readonly search: string;
}

const NOT_A_DOWNLOAD = 'must be the path of a download on this host, such as /query/download/csv';

/**
 * Finds the download at a path. The path is compared as it is written: an address with a host, a dot segment, an encoded slash, or a
 * double slash is not a download, so no proxy and no host can understand it in another way. Throws `invalid_request`.
 */
export function findDownload(
  downloads: readonly DownloadRoute[],
  { method, path }: { readonly method: string; readonly path: string },
): FoundDownload {
  const at = path.indexOf('?');
  const segments = (at === -1 ? path : path.slice(0, at)).split('/');
  const search = at === -1 ? '' : path.slice(at + 1);
  const found = path.includes('#')
    ? []
    : downloads.flatMap((download) => {
        const params = matchPath(download.operation.path.split('/'), segments);
        return params === undefined ? [] : [{ download, params, search }];
      });
  if (found.length === 0) throw invalidRequest({ path: 'body.path', message: NOT_A_DOWNLOAD });
  const ofMethod = found.filter(({ download }) => download.operation.method === method);
  // A literal path comes before one with more parameters, as in the kernel.
  const [first] = ofMethod.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  if (first !== undefined) return first;
  const methods = [...new Set(found.map(({ download }) => download.operation.method))].join(' or ');
  throw invalidRequest({ path: 'body.method', message: `must be ${methods} for this path` });
}

const PARAMETER = /^\{(\w+)\}$/;

/** Returns the parameters of a path that matches a template, otherwise undefined. */
function matchPath(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    const [, name] = PARAMETER.exec(part) ?? [];
    if (name === undefined && part !== segment) return undefined;
    const value = name === undefined ? undefined : decodeSegment(segment);
    if (name !== undefined && value === undefined) return undefined;
    if (name !== undefined && value !== undefined) params.set(name, value);
  }
  return Object.fromEntries(params);
}

function decodeSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment);
    return text === '' || /^\.+$/.test(text) || /[/\\]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
