/**
 * Chooses an arm's objective: a field one types into and a list that narrows. Arrow keys, Home, End, Enter and Escape work
 * as in any combobox; focus stays in the field (ARIA's editable combobox with a list).
 */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { aboutObjective } from '../../../experiment/objectives/objectiveAbout';
import {
  type ObjectivePreset,
  objectivePresets,
  PRESET_FAMILIES,
} from '../../../experiment/objectives/objectivePresets';
import './objective-picker.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly testId: string;
  /** Text shown while none is chosen. */
  readonly placeholder?: string;
  readonly onChange: (preset: ObjectivePreset) => void;
}

/** Every word typed must occur somewhere in what is said of an objective. */
export function searchObjectives(text: string): ObjectivePreset[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return objectivePresets.filter(({ id, title, family }) => {
    const { citation, reason } = aboutObjective(id);
    const said = `${title} ${citation} ${reason} ${PRESET_FAMILIES[family]}`.toLowerCase();
    return wanted.every((word) => said.includes(word));
  });
}

/** Index in a list of `count` to which a key leads from `at`. */
const STEPS = new Map<string, (at: number, count: number) => number>([
  ['ArrowDown', (at, count) => (at + 1) % Math.max(1, count)],
  ['ArrowUp', (at, count) => (at + count - 1) % Math.max(1, count)],
  ['Home', () => 0],
  ['End', (_, count) => Math.max(0, count - 1)],
  ['PageDown', (at, count) => Math.min(count - 1, at + 6)],
  ['PageUp', (at) => Math.max(0, at - 6)],
]);

export function ObjectivePicker({ label, value, testId, placeholder, onChange }: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Text typed since the list opened; null while it is closed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const chosen = objectivePresets.find((preset) => preset.id === value);
  const found = useMemo(() => searchObjectives(typed ?? ''), [typed]);
  const isOpen = typed !== null;
  const optionId = (preset: ObjectivePreset | undefined) => (preset === undefined ? undefined : `${id}-${preset.id}`);

  const open = () => {
    setTyped('');
    setActive(
      Math.max(
        0,
        objectivePresets.findIndex((preset) => preset.id === value),
      ),
    );
    field.current?.select();
  };
  const choose = (preset: ObjectivePreset | undefined) => {
    setTyped(null);
    if (preset !== undefined && preset.id !== value) onChange(preset);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list scrolls whenever another option becomes active
  useEffect(() => {
    list.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isOpen, found]);

  const press = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    if (step !== undefined) {
      // Before the list is open, Home and End move within the field.
      if (!isOpen && !event.key.startsWith('Arrow')) return;
      event.preventDefault();
      if (isOpen) setActive((at) => step(at, found.length));
      else open();
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      choose(found[active]);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setTyped(null);
    }
  };
  return (
    <div className="picker relative">
      <input
        ref={field}
        type="text"
        role="combobox"
        className="field picker-field full"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? optionId(found[active]) : undefined}
        autoComplete="off"
        spellCheck={false}
        data-testid={testId}
        value={isOpen ? typed : (chosen?.title ?? value)}
        placeholder={chosen?.title ?? placeholder}
        onClick={() => !isOpen && open()}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
        }}
        onKeyDown={press}
        onBlur={() => setTyped(null)}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Objectives"
        className="picker-list padded-4 frame raised"
        hidden={!isOpen || found.length === 0}
        // The field keeps the focus while the list is pressed or scrolled.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        {isOpen &&
          found.map((preset, at) => (
            <Option
              key={preset.id}
              id={optionId(preset) ?? ''}
              preset={preset}
              heading={found[at - 1]?.family === preset.family ? null : PRESET_FAMILIES[preset.family]}
              active={at === active}
              selected={preset.id === value}
              onChoose={() => choose(preset)}
            />
          ))}
      </div>
      <p className="picker-none small soft padded-4 frame raised" role="status" hidden={!isOpen || found.length > 0}>
        {isOpen && found.length === 0 ? 'No objective has all of these words. Try fewer.' : ''}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly preset: ObjectivePreset;
  readonly heading: string | null;
  readonly active: boolean;
  readonly selected: boolean;
  readonly onChoose: () => void;
}

function Option({ id, preset, heading, active, selected, onChoose }: OptionProps) {
  const { citation, reason } = aboutObjective(preset.id);
  return (
    <>
      {heading !== null && (
        <p className="picker-heading small bold" role="presentation">
          {heading}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option */}
      <div
        id={id}
        role="option"
        className="picker-option stack words-apart hand"
        aria-selected={selected}
        data-active={active}
        data-testid={`objective-${preset.id}`}
        onClick={onChoose}
      >
        <span className="picker-title">{preset.title}</span>
        <span className="picker-citation small soft">{citation}</span>
        <span className="small soft across">{reason}</span>
      </div>
    </>
  );
}
