import { receiptPathOf, writeReceiptFile } from '@sluice/client';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { checkCommands } from './check-commands.ts';
import type { DownloadSnapshot } from './download-state.ts';

/** Receipt of a download that the host has sent whole, and how to check the file. A page cannot see the bytes that a browser has saved. */
export function ReceiptView({ download }: { readonly download: DownloadSnapshot }) {
  const { t } = useTranslation();
  const { user } = useCurrentUser();
  const { addresses } = useSession();
  const { receipt, fileName, isCompared, state } = download;
  if (receipt === undefined) return null;
  const { sha256, bytes } = receipt;
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
      {sha256 !== null && (
        <>
          <div className="receipt__line">
            <span className="receipt__label">{t('downloads.hash')}</span>
            <code className="receipt__code">{sha256}</code>
            <CopyButton text={sha256} label={t('downloads.hash.copy')} />
          </div>
          {checkCommands(fileName, sha256).map(({ id, text }) => (
            <div className="receipt__line" key={id}>
              <span className="receipt__label">{t(`downloads.check.${id}`)}</span>
              <code className="receipt__code">{text}</code>
              <CopyButton text={text} label={t('downloads.check.copy', { command: t(`downloads.check.${id}`) })} />
            </div>
          ))}
          <div className="download-card__actions">
            <Button size="s" onPress={saveReceipt}>
              {t('downloads.receipt')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
