import { nearestNames } from '@sluice/contract/nearest-names';
import { useEffect, useRef, useState } from 'react';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useAction } from '../api/use-action.ts';
import { useClient } from '../api/use-client.ts';
import { useDomains } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser } from '../session/session-context.tsx';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';
import { Note, Row, Stack } from './layout.tsx';
import { TagField } from './tag-field.tsx';
import { visibleText } from './visible-text.tsx';

interface DomainFieldProps {
  /** Ids of the chosen domains. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Leaving the field for a button adds what was typed. A sentence that appears at once would move the button away from the pointer. */
const SHOWN_AFTER_MS = 250;

/**
 * Field for domains by their names. A name that no domain has is not added, and the form can be saved nevertheless. Nothing for users who may
 * not read the domains.
 */
export function DomainField({ chosen, onChange }: DomainFieldProps) {
  const { t } = useTranslation();
  const client = useClient();
  const { permissions } = useCurrentUser();
  const names = useDomains();
  const [unknown, setUnknown] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Its name is there before the list of domains is read again.
  const [created, setCreated] = useState<ReadonlyMap<string, string>>(new Map());
  const create = useAction((name: string, options) => client.api.createDomain({ body: { name }, ...options }), {
    invalidates: [QUERY_KEYS.domains],
    onDone({ result: { id, name } }) {
      setCreated((before) => new Map([...before, [id, name]]));
      setUnknown(undefined);
      onChange([...chosen, id]);
    },
  });
  if (names === undefined) return null;
  const known = new Map([...names, ...created]);
  const nameOf = (id: string): string => known.get(id) ?? id;
  const idOf = (name: string): string | undefined =>
    chosen.find((id) => nameOf(id) === name) ??
    [...known].find(([id, each]) => id === name || each.toLowerCase() === name.toLowerCase())?.[0];
  const change = (next: readonly string[]): void => {
    const missing = next.find((name) => idOf(name) === undefined);
    clearTimeout(timer.current);
    if (missing === undefined) setUnknown(undefined);
    else timer.current = setTimeout(() => setUnknown(missing), SHOWN_AFTER_MS);
    onChange([...new Set(next.flatMap((name) => idOf(name) ?? []))]);
  };
  const offered = unknown === undefined ? [] : nearestNames(unknown, [...known.values()]);
  return (
    <Stack gap="s">
      <TagField
        label={t('property.domains')}
        description={t('describe.domain.about')}
        tags={chosen.map(nameOf)}
        suggestions={[...known.values()]}
        removeLabelOf={(name) => t('describe.domain.remove', { name })}
        onChange={change}
      />
      {unknown !== undefined && (
        <>
          <Note role="status">{t('describe.domain.unknown', { name: visibleText(unknown) })}</Note>
          <Failure error={create.failure} />
          <Row>
            {offered.map((name) => (
              <Button key={name} size="s" onPress={() => change([...chosen.map(nameOf), name])}>
                {t('describe.domain.use', { name: visibleText(name) })}
              </Button>
            ))}
            {permissions.includes('metadata:write') && (
              <Button size="s" icon="plus" isDisabled={create.isRunning} onPress={() => void create.start(unknown)}>
                {t('describe.domain.create', { name: visibleText(unknown) })}
              </Button>
            )}
          </Row>
        </>
      )}
    </Stack>
  );
}
