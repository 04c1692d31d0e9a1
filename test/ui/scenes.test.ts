import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { exhibit } from '../../src/environments/exhibit';
import { listener } from '../../src/environments/listener/listener';
import type { Scene, ShopScene, StoryScene, TerminalScene } from '../../src/environments/scene';
import { shop } from '../../src/environments/shop/shop';
import { terminal } from '../../src/environments/terminal/terminal';
import { WORDS } from '../../src/environments/terminal/terminalWords';
import type { Arm } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { learningAt, learningsOf } from '../../src/ui/model/tokens/learning';
import { Book } from '../../src/ui/model/worlds/boards/Book';
import { ShopView } from '../../src/ui/model/worlds/boards/Shop';
import { exampleFor } from '../../src/ui/model/worlds/boards/standIns';
import { TerminalView } from '../../src/ui/model/worlds/boards/Terminal';
import { Underlines } from '../../src/ui/model/worlds/Underlines';
import { expertly, type Played, play, stream } from '../support/episodes';

const scenesOf = ({ recorder: { environment, tokens, roles } }: Played, task: Int32Array): readonly Scene[] =>
  environment.scenes?.(task, tokens, roles) ?? [];

describe('the drawing of the shop', () => {
  const environment = shop.create({ mode: 'pages', horizon: 10 });
  const task = environment.drawTask(stream(2));
  const scenes = scenesOf(play(environment, task, expertly), task) as readonly ShopScene[];
  const drawn = scenes.map((scene, turn) =>
    renderToStaticMarkup(
      createElement(ShopView, { now: scene, way: scenes.slice(0, turn + 1), colour: 'red', label: 'Arm' }),
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
    createElement(TerminalView, { now: scenes[3] as TerminalScene, colour: 'red', label: 'Arm' }),
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

describe('the page of a book', () => {
  const environment = listener.create({});
  const shown = exhibit(environment);
  const arms = findPreset('listener')?.experiment.arms ?? [];
  const pageOf = (id: string): string => {
    const arm = arms.find((one) => one.id === id);
    const episode = exampleFor(arm as Arm, shown, Uint16Array.from(shown.tokens));
    return renderToStaticMarkup(
      createElement(Book, {
        ...{ now: shown.scenes[1] as StoryScene, colour: 'red', label: 'Arm' },
        learning: (index) => learningAt(arm, episode, index),
      }),
    );
  };

  it('has a line under the text of every token that carries a loss, and says so to those who listen', () => {
    const sentence = 'The ([a-z]+) was happy\\.';
    const mask = pageOf('action-mask');
    expect(mask).toMatch(new RegExp(`<span class="line-policy"> ${sentence}</span>`));
    expect(mask).toMatch(
      new RegExp(`aria-label="Arm\\. [^"]*agent: ${sentence} \\[learns from the reward\\] \\(paid\\)`),
    );
    expect(mask).not.toContain('line-predict');
    const model = pageOf('world-model');
    expect(model).toMatch(/<span class="line-predict"> &quot;Tell me about the [a-z]+!&quot; said Tom\.<\/span>/);
    expect(model).toContain('said Tom. [learns by prediction]');
    // The first question is the prompt's, of which neither arm learns.
    expect(model).toMatch(/<span class="line-veiled"> &quot;Tell me about/);
  });

  it('is explained by the ways in which its arms learn', () => {
    const ways = Object.fromEntries(arms.map((arm) => [arm.id, learningsOf(arm)]));
    expect(ways['action-mask']).toEqual(['policy', 'veiled']);
    expect(ways['world-model']).toEqual(['policy', 'predict', 'veiled']);
    const [arm] = arms;
    const html = renderToStaticMarkup(createElement(Underlines, { arms: arm === undefined ? [] : [arm] }));
    expect(html).toContain('<span class="line-policy">solid line</span>: learns from the reward');
    expect(html).not.toContain('dotted');
  });
});
