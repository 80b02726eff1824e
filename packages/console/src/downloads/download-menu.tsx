import type { DownloadFormat } from '@sluice/client';
import { useState } from 'react';
import { type Translate, useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { formatLabel } from './download-options.ts';
import type { DownloadSource } from './download-source.ts';
import { useDownloadStore } from './downloads-context.tsx';
import { isRowFormat } from './row-file.ts';
import { proposedName, savedFormatOf, startDownload } from './start-download.ts';

const DownloadDialog = onDemand(
  async () => (await import('./download-dialog.tsx')).DownloadDialog,
  ({ source }) => source !== undefined,
);

/** A further source of the same menu. */
interface OtherSource {
  readonly source: DownloadSource;
  /** Name of its item in the menu. */
  readonly label: string;
}

interface DownloadMenuProps {
  readonly source: DownloadSource;
  /** Last items of the menu, which open the dialog. */
  readonly others?: readonly OtherSource[];
  /** `primary` where the download is the main action of the page. Default: quiet. */
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  readonly size?: 's' | 'm';
  readonly isDisabled?: boolean;
}

/**
 * Button with the formats in which something can be downloaded. The browser saves the file, or the page if it holds all rows; the list of
 * downloads shows the progress.
 */
export function DownloadMenu({
  source,
  others = [],
  kind = 'quiet',
  size = 'm',
  isDisabled = false,
}: DownloadMenuProps) {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const [shown, setShown] = useState<DownloadSource>();
  return (
    <>
      <MenuButton
        label={t('action.download')}
        note={source.note}
        button={
          <Button kind={kind} size={size} icon="download" isDisabled={isDisabled}>
            {t('action.download')}
          </Button>
        }
        actions={[
          ...source.formats.map((format) => ({
            id: format,
            label: formatLabel(format, t),
            description: describeFormat(source, format, t),
            onAction: () => startDownload(store, source, { format, name: proposedName(source) }),
          })),
          { id: 'options', label: t('downloads.options'), onAction: () => setShown(source) },
          ...others.map((other) => ({ id: other.label, label: other.label, onAction: () => setShown(other.source) })),
        ]}
      />
      <DownloadDialog source={shown} onClose={() => setShown(undefined)} />
    </>
  );
}

/** Returns what is special about a format: its limits, and for rows that the page holds, whether the statement runs again. */
function describeFormat(source: DownloadSource, format: DownloadFormat, t: Translate): string | undefined {
  const limits = format === 'xlsx' ? [t('downloads.format.xlsx.limits')] : [];
  if (source.held === undefined) return limits[0];
  if (savedFormatOf(source, { format }) !== undefined) return t('downloads.format.held');
  if (source.kept !== undefined) return limits[0];
  // Its rows are here, so the page could write it if it were smaller.
  return [t(isRowFormat(format) ? 'downloads.format.large' : 'downloads.format.again'), ...limits].join('. ');
}
