import { DownloadMenu } from '../downloads/download-menu.tsx';
import { datamapSource } from '../downloads/download-source.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { notify } from '../ui/notifications.tsx';

interface DatamapDownloadProps {
  readonly id: string;
  readonly name: string;
  /** Returns the values of the parameters, or undefined if one is missing, which the user has been shown. */
  readonly readValues: () => Readonly<Record<string, { readonly value: string | null }>> | undefined;
}

/** Downloads the result of a published datamap with the values that the user has entered. */
export function DatamapDownload({ id, name, readValues }: DatamapDownloadProps) {
  const { t } = useTranslation();
  const readTexts = (): Readonly<Record<string, string>> | undefined => {
    const read = readValues();
    if (read === undefined) return undefined;
    const values = Object.entries(read);
    const nulls = values.flatMap(([parameter, { value }]) => (value === null ? [`$${parameter}`] : []));
    if (nulls.length > 0) {
      // The address of a download has strings only.
      notify({ tone: 'danger', text: t('datamap.download.null', { names: nulls.join(', ') }) });
      return undefined;
    }
    return Object.fromEntries(values.map(([parameter, { value }]) => [parameter, value ?? '']));
  };
  return <DownloadMenu source={datamapSource({ id, name }, readTexts)} />;
}
