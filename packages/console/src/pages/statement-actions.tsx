import type { ParameterEntry, TypedValue } from '../editor/parameters/parameter-entry.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { CopyAsMenu } from '../snippets/copy-as-menu.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { notify } from '../ui/notifications.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useClipboard } from '../ui/use-clipboard.ts';
import { openInEditor } from './open-in-editor.ts';

interface StatementActionsProps {
  readonly sql: string;
  /** Name of the object, for the tab of the editor and for files. */
  readonly name: string;
  /** Name as it is written in SQL, to copy. Undefined: the object has none. */
  readonly copyName?: string;
  readonly parameters?: Readonly<Record<string, ParameterEntry>>;
  /** Values with their types, for programs. */
  readonly values?: Readonly<Record<string, TypedValue>>;
}

/** Buttons for the statement of an object: copy its name, copy a program that runs it, open it in the editor. */
export function StatementActions({ sql, name, copyName, parameters = {}, values = {} }: StatementActionsProps) {
  const { t } = useTranslation();
  const copy = useClipboard();
  const { addresses } = useSession();
  const { user, permissions } = useCurrentUser();
  return (
    <>
      {copyName !== undefined && (
        <Tooltip text={t('object.copy-name')}>
          <IconButton
            icon="copy"
            label={t('object.copy-name')}
            onPress={async () => {
              if (await copy(copyName)) notify({ tone: 'success', text: t('action.copied') });
            }}
          />
        </Tooltip>
      )}
      {permissions.includes('query:run') && (
        <>
          <CopyAsMenu input={{ ...addresses, sql, name, user, parameters: values }} />
          <Button icon="query" onPress={() => openInEditor({ sql, name: visibleText(name), parameters })}>
            {t('object.open')}
          </Button>
        </>
      )}
    </>
  );
}
