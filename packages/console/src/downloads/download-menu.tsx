import { useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { DownloadDialog } from './download-dialog.tsx';
import { formatLabel, NO_OPTIONS } from './download-options.ts';
import { type DownloadSource, fullNameOf } from './download-source.ts';
import { useDownloadStore } from './downloads-context.tsx';

interface DownloadMenuProps {
  readonly source: DownloadSource;
  /** Text of the button. Default: "Download". */
  readonly label?: string;
  /** `primary` where the download is the main action of the page. Default: quiet. */
  readonly kind?: 'primary' | 'secondary' | 'quiet';
  readonly size?: 's' | 'm';
  readonly isDisabled?: boolean;
}

/** Button with the formats in which something can be downloaded. The browser saves the file; the list of downloads shows its progress. */
export function DownloadMenu({ source, label, kind = 'quiet', size = 'm', isDisabled = false }: DownloadMenuProps) {
  const { t } = useTranslation();
  const text = label ?? t('action.download');
  const store = useDownloadStore();
  const [isDialogOpen, setDialogOpen] = useState(false);
  return (
    <>
      <MenuButton
        label={text}
        note={source.note}
        button={
          <Button kind={kind} size={size} icon="download" isDisabled={isDisabled}>
            {text}
          </Button>
        }
        actions={[
          ...source.formats.map((format) => ({
            id: format,
            label: formatLabel(format, t),
            description: format === 'xlsx' ? t('downloads.format.xlsx.limits') : undefined,
            onAction: () => {
              const operation = source.operationOf(format, source.name, NO_OPTIONS);
              if (operation === undefined) return;
              store.start({ fileName: fullNameOf(source, source.name, format), operation, isComparing: false });
            },
          })),
          { id: 'options', label: t('downloads.options'), onAction: () => setDialogOpen(true) },
        ]}
      />
      <DownloadDialog source={source} isOpen={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </>
  );
}
