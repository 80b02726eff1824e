import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { ifUnchanged, readVersioned, type Versioned } from '../api/versioned.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { dateText, expiryOf } from '../ui/expiry.ts';
import { type ChosenExpiry, ExpiryField } from '../ui/expiry-field.tsx';
import { Failure } from '../ui/failure.tsx';
import { Impact } from '../ui/impact.tsx';
import { AuditLogLink, useChangeNotice } from './audit-log-link.tsx';
import { useRereadAdmin } from './use-admin.ts';
import type { Grant } from './use-grants.ts';

interface GrantDialogProps {
  /** Undefined: the dialog is closed. */
  readonly grant: Grant | undefined;
  readonly onClose: () => void;
}

const paramsOf = ({ item_id, kind, name }: Grant) => ({ item_id, kind, name });

/** Dialog that changes when a grant ends, or removes it. */
export function GrantDialog({ grant, onClose }: GrantDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const params = grant === undefined ? { item_id: '', kind: '', name: '' } : paramsOf(grant);
  const found = useQuery({
    queryKey: ['admin-grant', params],
    queryFn: ({ signal }) => readVersioned((options) => client.api.getGrant({ params, signal, ...options })),
    enabled: grant !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Dialog title={t('admin.grant.title')} isOpen={grant !== undefined} onClose={onClose}>
      {found.error !== null && <Failure error={found.error} />}
      {found.data !== undefined && (
        <GrantForm
          // Another version fills the form again.
          key={found.data.entityTag}
          grant={found.data}
          onReload={() => void found.refetch()}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface GrantFormProps {
  readonly grant: Versioned<Grant>;
  readonly onReload: () => void;
  readonly onClose: () => void;
}

const chosenOf = ({ expires_ts: time }: Grant): ChosenExpiry =>
  time === null ? { choice: 'never', date: '' } : { choice: 'date', date: dateText(time) };

function GrantForm({ grant, onReload, onClose }: GrantFormProps) {
  const { t, formatTime } = useTranslation();
  const client = useClient();
  const reread = useRereadAdmin();
  const notice = useChangeNotice();
  const { value: before } = grant;
  const [expiry, setExpiry] = useState(() => chosenOf(before));
  const [isRemoving, setRemoving] = useState(false);
  const expiresTs = expiryOf(expiry.choice, expiry.date, Date.now());
  const { start, isRunning, failure } = useAction(async () => {
    const options = { params: paramsOf(before), ...ifUnchanged(grant) };
    try {
      if (isRemoving) await client.api.deleteGrant(options);
      else if (expiresTs !== undefined) await client.api.updateGrant({ ...options, body: { expires_ts: expiresTs } });
    } finally {
      reread();
    }
  });
  const [name, item] = [visibleText(before.name), visibleText(before.item_title)];
  const save = async () => {
    if (!(await start())) return;
    const text = t(isRemoving ? 'admin.grant.removed' : 'admin.grant.changed', { name, item });
    notice(text, { action: 'GRANT_MARKETPLACE_ITEM', target: before.item_id });
    onClose();
  };
  const endsSooner = expiresTs != null && (before.expires_ts === null || expiresTs < before.expires_ts);
  const losses = [
    ...(isRemoving && !before.is_expired ? [t(`admin.impact.grant.${before.kind}`, { name, item })] : []),
    ...(!isRemoving && endsSooner ? [t('impact.grant-sooner', { name, time: formatTime(expiresTs) })] : []),
  ];
  return (
    <div className="dialog-form">
      <p>
        {t('admin.grant.about', { name, item })} <AuditLogLink search={{ target: before.item_id }} />
      </p>
      <Failure error={failure}>
        <Button size="s" onPress={onReload}>
          {t('admin.reload')}
        </Button>
      </Failure>
      {!isRemoving && <ExpiryField value={expiry} onChange={setExpiry} />}
      <Impact losses={losses} isChanged={isRemoving || expiresTs !== before.expires_ts} />
      <DialogActions>
        {!isRemoving && (
          <Button kind="quiet" onPress={() => setRemoving(true)}>
            {t('admin.grant.remove')}
          </Button>
        )}
        <Button onPress={isRemoving ? () => setRemoving(false) : onClose}>
          {t(isRemoving ? 'admin.back' : 'action.close')}
        </Button>
        <Button
          kind={isRemoving ? 'danger' : 'primary'}
          isDisabled={isRunning || (!isRemoving && expiresTs === undefined)}
          onPress={() => void save()}
        >
          {t(isRemoving ? 'admin.grant.remove.now' : 'action.save')}
        </Button>
      </DialogActions>
    </div>
  );
}
