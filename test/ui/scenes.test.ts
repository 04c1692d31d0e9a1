import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Scene, ShopScene, TerminalScene } from '../../src/environments/environment';
import { shop } from '../../src/environments/shop/shop';
import { terminal } from '../../src/environments/terminal/terminal';
import { WORDS } from '../../src/environments/terminal/terminalWords';
import { ShopView } from '../../src/ui/model/worlds/Shop';
import { TerminalView } from '../../src/ui/model/worlds/Terminal';
import { expertly, type Played, play, stream } from '../support/episodes';

const scenesOf = ({ recorder: { environment, tokens, roles } }: Played, task: Int32Array): readonly Scene[] =>
  environment.scenes?.(task, tokens, roles) ?? [];

describe('the drawing of the shop', () => {
  const environment = shop.create({ mode: 'pages', horizon: 10 });
  const task = environment.drawTask(stream(2));
  const scenes = scenesOf(play(environment, task, expertly), task) as readonly ShopScene[];
  const drawn = scenes.map((scene, turn) =>
    renderToStaticMarkup(
      createElement(ShopView, { scene, way: scenes.slice(0, turn + 1), colour: 'red', label: 'Arm' }),
    ),
  );

  it('says in words what it shows, and ends with what was bought and its reward', () => {
    for (const html of drawn) expect(html).toMatch(/role="img" aria-label="Arm\. Wanted: [^"]+\./);
    expect(drawn[0]).toContain('an empty search page');
    expect(drawn.at(-1)).toContain('reward 100%');
  });

  it('marks the last click, on the page and at the end of the way', () => {
    for (const [turn, html] of drawn.entries()) {
      expect(html.includes('data-last="true"')).toBe(turn > 0);
      if (turn > 0) expect(html).toContain('shop-mark');
    }
    expect(drawn.at(-1)).toContain('<li class="shop-click" data-last="true">buy</li>');
  });
});

describe('the drawing of the terminal', () => {
  const environment = terminal.create({ horizon: 5 });
  const task = environment.drawTask(stream(2));
  const lines = ['cat index', 'oak', 'rm todo'];
  const played = play(environment, task, (_world, _slot, turn) =>
    `${lines[turn] ?? 'exit'} <enter>`.split(' ').map((word) => WORDS.indexOf(word)),
  );
  const scenes = scenesOf(played, task) as readonly TerminalScene[];
  const html = renderToStaticMarkup(
    createElement(TerminalView, { scene: scenes[3] as TerminalScene, colour: 'red', label: 'Arm' }),
  );

  it('names errors and warnings as such, in words', () => {
    expect(html).toContain('<span class="terminal-kind bold">error</span> no-such-file index');
    expect(html).toContain('<span class="terminal-kind bold">warning</span> malformed oak');
    expect(html).toContain('error no-such-file index. home$ oak. warning malformed oak');
  });

  it('shows the disk: what is asked for, what is gone, where the agent is', () => {
    const target = scenes[3]?.files.find(({ isTarget }) => isTarget);
    expect(html).toMatch(/data-here="true">home</);
    expect(html).toContain(`data-target="true" data-state="${target?.state}"`);
    expect(html).toMatch(/data-state="deleted">todo</);
    expect(html).toContain('Deleted: home/todo.');
  });
});
