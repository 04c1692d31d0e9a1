/**
 * An episode as the loss saw it: its tokens in order, each solid or veiled by what actually trained it. Turns not played
 * yet are left blank but keep their place. One stop for the keyboard; the arrow keys walk along the tokens, and the line
 * below says what is known about the one chosen.
 */
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Arm } from '../../../experiment/experiment';
import { ROLES } from '../../../foundation/roles';
import { type BoardEpisode, isPlayed } from '../../../store/look/playback';
import type { EpisodeView } from '../../../train/looks/shown';
import { Button } from '../../kit/Button';
import { formatMeasured } from '../../kit/format';
import { useLab } from '../useLab';
import { Chip, LEARNING_WORDS, type TokenLearning } from './Chip';
import { heldInspection } from './held';
import { learningAt } from './learning';
import { writeToken } from './tokenWords';

interface Props {
  readonly episode: BoardEpisode;
  /** Arm with the settings it was trained with; absent where only the episode's own weights teach. */
  readonly arm: Arm | undefined;
  readonly words: readonly string[];
  /** Tokens already played. */
  readonly shown: number;
  readonly label: string;
  /** Longest episode in tokens: room is kept for it, so that nothing below moves. */
  readonly longest: number;
  /** Note shown while no token is chosen. */
  readonly note: ReactNode;
}

/** Pixels from one row of chips to the next, as in strip.css. */
const ROW = 27;

/** Room for the longest episode, as many rows as strip.css reckons with; beyond the most rows the strip scrolls. */
export function stripRoom(longest: number): CSSProperties {
  return { '--longest': longest } as CSSProperties;
}

/** Index to which a key leads among so many tokens. */
const STEPS = new Map<string, (at: number | null, count: number) => number>([
  ['ArrowLeft', (at) => Math.max(0, (at ?? 1) - 1)],
  ['ArrowRight', (at, count) => Math.min(count - 1, (at ?? -1) + 1)],
  ['Home', () => 0],
  ['End', (_, count) => count - 1],
]);

export function TokenStrip({ episode, arm, words, shown, label, longest, note }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const id = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const walk = (event: KeyboardEvent) => {
    const step = STEPS.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    setChosen((at) => step(at, shown));
  };
  const press = useCallback((index: number) => setChosen((at) => (at === index ? null : index)), []);
  useLayoutEffect(() => {
    const newest = strip.current?.children[shown - 1];
    if (strip.current === null || !(newest instanceof HTMLElement)) return;
    const below = newest.offsetTop + newest.offsetHeight - strip.current.offsetTop - strip.current.clientHeight;
    // By whole rows, so that none is cut.
    strip.current.scrollTop = Math.max(0, Math.ceil(below / ROW) * ROW);
  }, [shown]);
  // The next episode may be shorter.
  const active = chosen !== null && chosen < episode.tokens.length ? chosen : null;
  return (
    <div className="strip">
      <div
        ref={strip}
        className="strip-tokens"
        style={stripRoom(longest)}
        role="listbox"
        aria-label={label}
        aria-activedescendant={active === null ? undefined : `${id}${active}`}
        tabIndex={0}
        onKeyDown={walk}
      >
        {Array.from(episode.tokens, (token, index) => (
          <StripToken
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place in the episode
            key={index}
            id={`${id}${index}`}
            index={index}
            word={words[token] ?? '?'}
            learning={learningAt(arm, episode, index)}
            isChosen={index === chosen}
            isFuture={index >= shown}
            onPress={press}
          />
        ))}
      </div>
      <div className="strip-foot between">
        <p className="strip-description small soft above-8 high" aria-live="polite">
          {active === null ? note || ' ' : describe(episode, words, active, arm)}
        </p>
        {isPlayed(episode) && <InspectButton episode={episode} index={chosen} label={`Inspect, ${label}`} />}
      </div>
    </div>
  );
}

interface TokenProps {
  readonly id: string;
  readonly index: number;
  readonly word: string;
  readonly learning: TokenLearning;
  readonly isChosen: boolean;
  readonly isFuture: boolean;
  readonly onPress: (index: number) => void;
}

/** Token of the strip, drawn again only where it changes: a turn is played four times a second, in every arm. */
const StripToken = memo(function StripToken({ id, index, word, learning, isChosen, isFuture, onPress }: TokenProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the strip has the focus, and says which token is active
    <span
      id={id}
      role="option"
      aria-selected={isChosen}
      className={`strip-token${isChosen ? ' strip-chosen' : ''}${isFuture ? ' strip-future' : ''} round hand`}
      aria-hidden={isFuture}
      onClick={() => onPress(index)}
    >
      <Chip learning={learning}>{writeToken(word)}</Chip>
    </span>
  );
});

function describe(episode: BoardEpisode, words: readonly string[], index: number, arm: Arm | undefined): string {
  const word = words[episode.tokens[index] ?? -1] ?? '?';
  const role = ROLES[episode.roles[index] ?? -1] ?? 'token';
  const logProb = episode.logProb[index] ?? Number.NaN;
  const expected = Number.isNaN(logProb) ? '' : `; given ${formatMeasured(100 * Math.exp(logProb))}% beforehand`;
  const named = word === '<bos>' ? 'start, how every episode begins' : word;
  return `${role} ${named}: ${LEARNING_WORDS[learningAt(arm, episode, index)]}${expected}.`;
}

interface InspectButtonProps {
  readonly episode: EpisodeView;
  readonly index: number | null;
  readonly label: string;
}

/** Opens the inspector on an episode, at one of its tokens if one is chosen. */
function InspectButton({ episode, index, label }: InspectButtonProps) {
  const { inspector, playback, store } = useLab();
  const open = () => {
    const { running, told } = store.getState();
    const held = Object.values(playback.getState().episodes).flatMap((one) => {
      const arm = [...told, ...(running?.arms ?? [])].find(({ id }) => id === one.arm);
      return arm === undefined || running === null ? [] : [heldInspection(one, arm, running.batch.groupSize)];
    });
    inspector.open(episode, index, 'tokens', held);
  };
  return (
    <Button
      className="button-quiet small firm tall"
      aria-label={label}
      data-testid={`inspect-${episode.arm}`}
      onClick={open}
    >
      Inspect
    </Button>
  );
}
