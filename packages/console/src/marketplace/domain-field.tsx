import { useState } from 'react';
import { useDomains } from '../api/use-domain-names.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { visibleText } from '../result/cell-text.ts';
import { TagField } from '../ui/tag-field.tsx';

interface DomainFieldProps {
  /** Ids of the chosen domains. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Field for the domains of an item, by their names. Nothing for users who may not read the domains. */
export function DomainField({ chosen, onChange }: DomainFieldProps) {
  const { t } = useTranslation();
  const names = useDomains();
  const [unknown, setUnknown] = useState<string>();
  if (names === undefined) return null;
  const nameOf = (id: string): string => names.get(id) ?? id;
  const idOf = (name: string): string | undefined =>
    chosen.find((id) => nameOf(id) === name) ??
    [...names].find(([id, each]) => id === name || each.toLowerCase() === name.toLowerCase())?.[0];
  const change = (next: readonly string[]): void => {
    setUnknown(next.find((name) => idOf(name) === undefined));
    onChange([...new Set(next.flatMap((name) => idOf(name) ?? []))]);
  };
  return (
    <TagField
      label={t('property.domains')}
      description={t('item.domains.about')}
      tags={chosen.map(nameOf)}
      suggestions={[...names.values()]}
      problem={unknown === undefined ? undefined : t('item.domains.unknown', { name: visibleText(unknown) })}
      removeLabelOf={(name) => t('item.domains.remove', { name })}
      onChange={change}
    />
  );
}
