import { useRef, useState } from 'react';
import { violationsIn } from '../api/describe-error.ts';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { useChangeNotice } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Section, Stack } from '../ui/layout.tsx';
import { TextField } from '../ui/text-field.tsx';

/** Rules of the host for a new password, as the form states them. */
const PASSWORD_LENGTH = { min: 12, max: 1024 } as const;

/** Sentence about each field that is wrong. */
interface FieldProblems {
  readonly current?: string | undefined;
  readonly next?: string | undefined;
}

/** Form that changes the password of the user, or a sentence for a user that has none. */
export function PasswordForm() {
  const { t } = useTranslation();
  const { has_password: hasPassword } = useCurrentUser();
  return (
    <Section title={t('account.password')} width="dialog">
      {hasPassword ? <PasswordFields /> : <p>{t('account.password.none')}</p>}
    </Section>
  );
}

function PasswordFields() {
  const { t } = useTranslation();
  const client = useClient();
  const { user } = useCurrentUser();
  const notice = useChangeNotice();
  const currentField = useRef<HTMLInputElement>(null);
  const nextField = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problems, setProblems] = useState<FieldProblems>({});

  /** Shows what is wrong, with the focus in the first field that is. */
  const show = (found: FieldProblems): void => {
    setProblems(found);
    (found.current === undefined ? nextField : currentField).current?.focus();
  };

  const { start, failure } = useAction(
    () => client.api.changePassword({ body: { current_password: current, new_password: next } }),
    {
      invalidates: [QUERY_KEYS.ownSessions],
      onDone() {
        setCurrent('');
        setNext('');
        notice(t('account.password.changed'), { action: 'CHANGE_PASSWORD', target: user });
      },
      onFailed(error) {
        const violations = violationsIn(error);
        const messageOf = (field: string) => violations.find(({ path }) => path === field)?.message;
        const isCurrentWrong = messageOf('current_password') !== undefined;
        if (violations.length > 0)
          show({
            current: isCurrentWrong ? t('account.password.current.wrong') : undefined,
            next: messageOf('new_password'),
          });
      },
    },
  );

  const submit = (): void => {
    const { length } = [...next];
    const found: FieldProblems = {
      current: current === '' ? t('account.password.current.empty') : undefined,
      next:
        length < PASSWORD_LENGTH.min
          ? t('account.password.new.short', PASSWORD_LENGTH)
          : length > PASSWORD_LENGTH.max
            ? t('account.password.new.long', PASSWORD_LENGTH)
            : undefined,
    };
    if (found.current !== undefined || found.next !== undefined) show(found);
    else void start();
  };

  return (
    <Stack as="form" onSubmit={submit}>
      {/* By it, the browser offers the stored password of this account and stores the new one for it. */}
      <input type="text" hidden readOnly autoComplete="username" value={user} />
      <TextField
        label={t('account.password.current')}
        type="password"
        autoComplete="current-password"
        validationBehavior="aria"
        isRequired
        inputRef={currentField}
        value={current}
        problem={problems.current}
        onChange={(text) => {
          setCurrent(text);
          setProblems((before) => ({ ...before, current: undefined }));
        }}
      />
      <TextField
        label={t('account.password.new')}
        description={t('account.password.new.rules', { min: PASSWORD_LENGTH.min })}
        type="password"
        autoComplete="new-password"
        validationBehavior="aria"
        isRequired
        inputRef={nextField}
        value={next}
        problem={problems.next}
        onChange={(text) => {
          setNext(text);
          setProblems((before) => ({ ...before, next: undefined }));
        }}
      />
      <Failure error={violationsIn(failure).length > 0 ? undefined : failure} />
      {/* It stays enabled while the request runs, so that it keeps the focus. The action runs once at a time. */}
      <Button kind="primary" type="submit">
        {t('account.password.change')}
      </Button>
    </Stack>
  );
}
