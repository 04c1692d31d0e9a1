/**
 * A dialog of choices. It opens at the one on screen; Tab visits them all, the arrow keys go to the next one that way.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Dialog } from '../../kit/Dialog';
import { type Direction, nextThatWay } from './nextThatWay';
import './choose.css';

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Chooser({ title, onClose, children }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus(), []);
  const walk = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    const from = document.activeElement;
    if (direction === undefined || !from?.matches('.choice-button')) return;
    event.preventDefault();
    const choices = [...(list.current?.querySelectorAll<HTMLElement>('.choice-button') ?? [])];
    const boxes = choices.map((choice) => (choice.parentElement ?? choice).getBoundingClientRect());
    choices[nextThatWay(boxes, choices.indexOf(from as HTMLElement), direction)]?.focus();
  };
  return (
    <Dialog title={title} kind="wide" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the buttons inside */}
      <div ref={list} className="chooser" onKeyDown={walk}>
        {children}
      </div>
    </Dialog>
  );
}
