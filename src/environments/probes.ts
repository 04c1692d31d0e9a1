/**
 * Targets of linear probes: parts of a world's state that the agent is not told directly, or only in other words. They are
 * computed from scenes, so they are the same for all settings of a world.
 */
import type { BoardScene, Scene, ShopScene, TapeScene, TerminalScene } from './scene';

export interface ProbeTarget {
  readonly id: string;
  /** Completes “where it is asked for …”. */
  readonly name: string;
  /** Name of the scene's class, one of a few; null where the scene has none. */
  value(scene: Scene): string | null;
}

/** A target of one kind of scene, null in all others. */
function target<K extends Scene['kind']>(
  kind: K,
  id: string,
  name: string,
  value: (scene: Extract<Scene, { kind: K }>) => string | null,
): ProbeTarget {
  const isOfKind = (scene: Scene): scene is Extract<Scene, { kind: K }> => scene.kind === kind;
  return { id, name, value: (scene) => (isOfKind(scene) ? value(scene) : null) };
}

export const PROBE_TARGETS: readonly ProbeTarget[] = [
  target('board', 'cell', 'the cell it is on', ({ agent }: BoardScene) => agent.join()),
  target('board', 'controls', 'its hidden controls', ({ controls }: BoardScene) => controls),
  target('board', 'carrying', 'what it carries', ({ carrying }: BoardScene) => carrying ?? 'nothing'),
  target('tape', 'tool', 'whether its tool works', ({ toolWorks }: TapeScene) =>
    toolWorks === null ? null : String(toolWorks),
  ),
  target('tape', 'digit', 'the last digit of the tool’s answer', lastDigit),
  target('shop', 'page', 'the page it is on', ({ page }: ShopScene) => page),
  target('shop', 'item', 'the product that is open', ({ page, item }: ShopScene) =>
    page === 'item' ? (item?.id ?? null) : null,
  ),
  target('terminal', 'directory', 'the directory it is in', ({ directory }: TerminalScene) => directory),
  target('terminal', 'solved', 'whether the task is done', ({ isSolved }: TerminalScene) => String(isSolved)),
];

/** Beginning of a target's id where a user's world tells it of its state. */
const OWN = 'own:';

const ownTarget = (key: string): ProbeTarget => ({
  id: OWN + key,
  name: key,
  value: (scene) => ownOf(scene)[key] ?? null,
});

const ownOf = (scene: Scene): Readonly<Record<string, string>> => ('probe' in scene ? scene.probe : undefined) ?? {};

/** Targets of some scenes: the lab's own, and those that a user's world tells. */
export function targetsIn(scenes: readonly Scene[]): ProbeTarget[] {
  const keys = new Set(scenes.flatMap((scene) => Object.keys(ownOf(scene))));
  return [...PROBE_TARGETS, ...[...keys].map(ownTarget)];
}

/** Targets with these ids, in their order. */
export function targetsCalled(ids: ReadonlySet<string>): ProbeTarget[] {
  const own = [...ids].filter((id) => id.startsWith(OWN)).map((id) => ownTarget(id.slice(OWN.length)));
  return [...PROBE_TARGETS.filter(({ id }) => ids.has(id)), ...own];
}

function lastDigit({ lines }: TapeScene): string | null {
  const answer = lines.findLast(({ who, isError }) => who === 'tool' && !isError);
  return answer?.text.match(/\d(?=\D*$)/)?.[0] ?? null;
}
