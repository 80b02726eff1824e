import { type ReactNode, type Ref, useId } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';
import './field.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  /** The label is for screen readers only: the place of the field says what it is. */
  readonly isLabelHidden?: boolean;
  readonly description?: ReactNode;
  /** Sentence about what is wrong. It is shown while `isInvalid`. */
  readonly problem?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly icon?: IconName;
  /** `s` for toolbars, `l` for the main field of a page. Default: `m`. */
  readonly size?: 's' | 'm' | 'l';
  /** Height in lines. Default: a field of one line. */
  readonly lines?: number;
  /** Suggestions of the browser while the user types: those that contain it. Any other input is possible too. */
  readonly suggestions?: readonly string[];
  /** Labels of suggestions. The browser also shows those whose label contains what is typed. */
  readonly suggestionLabels?: ReadonlyMap<string, string>;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Called for Enter without Control or Command, instead of sending the form around the field. */
  readonly onEnter?: (() => void) | undefined;
}

/** Text field with its label, and a description or problem below it. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    isLabelHidden = false,
    description,
    problem,
    icon,
    size,
    lines,
    suggestions,
    suggestionLabels,
    inputRef,
    onEnter,
    ...rest
  } = props;
  const listId = useId();
  const placeholder = props.placeholder === undefined ? {} : { placeholder: props.placeholder };
  return (
    <AriaTextField
      {...rest}
      {...(onEnter === undefined
        ? {}
        : {
            onKeyDown(event) {
              // A field that listens keeps every key from the rest of the page, such as the keys of commands.
              if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return event.continuePropagation();
              event.preventDefault();
              onEnter();
            },
          })}
      isInvalid={rest.isInvalid ?? problem !== undefined}
      className="field"
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'field__label'}>{label}</Label>
      <div className="field__box" data-size={size}>
        {icon !== undefined && <Icon name={icon} />}
        {lines === undefined ? (
          <Input
            className="field__input"
            {...placeholder}
            {...(suggestions === undefined ? {} : { list: listId })}
            {...(inputRef === undefined ? {} : { ref: inputRef })}
          />
        ) : (
          <TextArea className="field__input field__input--area" {...placeholder} rows={lines} />
        )}
      </div>
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((text) => (
            <option key={text} value={text} label={suggestionLabels?.get(text)} />
          ))}
        </datalist>
      )}
      {description !== undefined && (
        <Text slot="description" elementType="div" className="field__description">
          {description}
        </Text>
      )}
      <FieldError className="field__problem">{problem}</FieldError>
    </AriaTextField>
  );
}
