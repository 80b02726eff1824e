import { receiptPathOf, writeReceiptFile } from '@sluice/client';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { type DownloadSnapshot, sha256Of } from './download-state.ts';
import { useDownloadStore } from './downloads-context.tsx';

interface DownloadProps {
  readonly download: DownloadSnapshot;
}

/** Receipt of a download that the host has sent whole, and how to check the file. A page cannot see the bytes that a browser has saved. */
export function ReceiptView({ download }: DownloadProps) {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  const { addresses } = useSession();
  const { receipt, fileName, isCompared, state } = download;
  if (receipt === undefined) return null;
  const { bytes } = receipt;
  const saveReceipt = () =>
    saveFile(
      new Blob(
        [
          writeReceiptFile({
            file: fileName,
            tenant: addresses.tenant,
            stream_url: addresses.streamUrl,
            user,
            receipt,
          }),
        ],
        {
          type: 'application/json',
        },
      ),
      receiptPathOf(fileName),
    );
  return (
    <div className="receipt">
      {state === 'limited' && <p className="receipt__limited">{t('downloads.limited', { count: receipt.rows })}</p>}
      <p className="download-card__note">
        {isCompared ? t('downloads.compared', { count: bytes }) : t('downloads.sent', { count: bytes })}
      </p>
      <CheckLines download={download}>
        <Button size="s" kind="quiet" onPress={saveReceipt}>
          {t('downloads.receipt')}
        </Button>
      </CheckLines>
    </div>
  );
}

/** Facts about a file that this page has written from the rows of a tab, or about that of a kept result. */
export function SavedRowsView({ download }: DownloadProps) {
  const { t } = useTranslation();
  const { state, saved } = download;
  const ofHost = state === 'handed' ? 'downloads.handed' : 'downloads.saved-compared';
  return (
    <div className="receipt">
      <p className="download-card__note">{t(saved?.isOfHost === true ? ofHost : 'downloads.saved')}</p>
      <CheckLines download={download} />
    </div>
  );
}

interface CheckLinesProps extends DownloadProps {
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The SHA-256 of the file, and the button that compares a file with it. The name is that which the browser was asked for. */
function CheckLines({ download, children }: CheckLinesProps) {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const sha256 = sha256Of(download);
  return (
    <>
      <p className="download-card__note">{t('downloads.renamed')}</p>
      {sha256 !== undefined && (
        <>
          <div className="receipt__line">
            <span className="receipt__label">{t('downloads.hash')}</span>
            <code className="receipt__code">{sha256}</code>
            <CopyButton text={sha256} label={t('downloads.hash.copy')} />
          </div>
          <div className="download-card__actions">
            <Button size="s" icon="check" onPress={() => store.check({ download })}>
              {t('downloads.check')}
            </Button>
            {children}
          </div>
        </>
      )}
    </>
  );
}
