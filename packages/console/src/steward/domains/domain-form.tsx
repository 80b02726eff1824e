import { useState } from 'react';
import { QUERY_KEYS } from '../../api/query-keys.ts';
import { useAction } from '../../api/use-action.ts';
import { ifUnchanged, useClient, type Versioned } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Domain } from './use-domain.ts';

interface DomainFormProps {
  /** Undefined: a new domain. */
  readonly found: Versioned<Domain> | undefined;
  readonly onClose: () => void;
  readonly onSaved: (domain: Domain, requestId: string) => void;
}

const NAME_CHARACTERS_MAX = 256;
const EMAIL_CHARACTERS_MAX = 320;

/** Name, description and owner of a domain, to create or change it. */
export function DomainForm({ found, onClose, onSaved }: DomainFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [typed, setTyped] = useState({
    name: found?.value.name ?? '',
    description: found?.value.description ?? '',
    owner: found?.value.owner ?? '',
  });
  const change = (part: Partial<typeof typed>): void => setTyped({ ...typed, ...part });
  const name = typed.name.trim();
  const { start, isRunning, failure } = useAction<void, Domain>(
    (_, options) => {
      const body = { name, description: typed.description, owner: typed.owner.trim() || null };
      if (found === undefined) return client.api.createDomain({ body, ...options });
      return client.api.updateDomain({ params: { id: found.value.id }, body, ...ifUnchanged(found), ...options });
    },
    { invalidates: [QUERY_KEYS.domains], onDone: ({ result, requestId }) => onSaved(result, requestId) },
  );
  return (
    <Stack as="form" width="dialog" onSubmit={() => name !== '' && start()}>
      <Failure error={failure} />
      <TextField
        label={t('label.name')}
        value={typed.name}
        maxLength={NAME_CHARACTERS_MAX}
        onChange={(text) => change({ name: text })}
        isRequired
        autoFocus
      />
      <TextField
        label={t('property.description')}
        value={typed.description}
        onChange={(description) => change({ description })}
        description={t('property.description.about')}
        lines={4}
      />
      <TextField
        label={t('label.owner')}
        description={t('describe.domain.owner.about')}
        value={typed.owner}
        maxLength={EMAIL_CHARACTERS_MAX}
        autoComplete="off"
        onChange={(owner) => change({ owner })}
      />
      <DialogActions>
        <Button onPress={onClose}>{t('action.cancel')}</Button>
        <Button kind="primary" type="submit" isDisabled={isRunning || name === ''}>
          {t('action.save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
