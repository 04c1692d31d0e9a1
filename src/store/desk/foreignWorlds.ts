/**
 * Worlds in one file as the page has them: what each is like, told once by the Worker that runs them (workshop.ts), and its scenes,
 * told when they are asked for. No text of a world is run in the page's own thread.
 */

import { decodingSettings } from '../../environments/decoding';
import type {
  Elsewhere,
  Environment,
  EnvironmentSettings,
  Exhibit,
  PlayedTokens,
} from '../../environments/environment';
import { errorScene } from '../../environments/exhibit';
import type { FileDescription } from '../../environments/own/described';
import { environmentOf } from '../../environments/own/examine/facts';
import { MODEL_KEY, type WorldHost } from '../../environments/own/own';
import type { WorkshopAnswer, WorkshopQuestion, WorldMistake, WorldSetup } from '../../environments/own/workshop/asked';
import { isTold } from '../../environments/own/workshop/told';
import type { Scene } from '../../environments/scene';
import { asLabError, LabError } from '../../foundation/errors';
import { type Workshop, workshop } from './workshop';

/** Users' worlds of the page. */
export const foreignWorlds = (whenOpen: (world: string) => void): ForeignWorlds =>
  new ForeignWorlds(workshop, whenOpen);

/** Worlds that are remembered, each with its settings. */
const MOST = 256;

export class ForeignWorlds implements WorldHost {
  readonly #workshop: Workshop;
  readonly #whenOpen: (world: string) => void;
  readonly #files = new Map<string, FileDescription | LabError>();
  readonly #worlds = new Map<string, Environment | LabError>();
  readonly #opening = new Map<string, Promise<void>>();
  /** Worlds of which some call used up its time: they are played no more here, for the next call would. */
  readonly #spent = new Map<string, LabError>();

  /** `whenOpen` is called with each world once more is known of it. */
  constructor(workshop: Workshop, whenOpen: (world: string) => void) {
    this.#workshop = workshop;
    this.#whenOpen = whenOpen;
  }

  isOpen(world: string, settings: EnvironmentSettings): boolean {
    return this.#worlds.has(keyOf(world, settings));
  }

  fileOf(world: string): FileDescription | null {
    return orThrow(this.#files.get(world) ?? null);
  }

  make(world: string, settings: EnvironmentSettings): Environment {
    const known = orThrow(this.#worlds.get(keyOf(world, settings)) ?? null);
    if (known !== null) return known;
    throw new LabError('invalid-world', 'This world is not described yet.', 'Wait a moment.');
  }

  open(world: string, settings: EnvironmentSettings): Promise<void> {
    const key = keyOf(world, settings);
    // A world in the pieces of a model whose folder is not open cannot be judged yet.
    if (this.#worlds.has(key) || !isTold(settings[MODEL_KEY])) return Promise.resolve();
    const opening = this.#opening.get(key) ?? this.#describe(key, world, settings);
    this.#opening.set(key, opening);
    return opening;
  }

  async #describe(key: string, world: string, settings: EnvironmentSettings): Promise<void> {
    try {
      this.#keep(key, await this.#hearAnswer(key, world, settings));
    } finally {
      this.#opening.delete(key);
    }
    this.#whenOpen(world);
  }

  async #hearAnswer(key: string, world: string, settings: EnvironmentSettings): Promise<Environment | LabError> {
    const known = this.#files.get(world);
    if (known instanceof LabError) return known;
    const answer = await answerTo(this.#workshop, `world ${key}`, { type: 'describe', world, settings });
    if (answer?.type === 'described') {
      const { file, facts } = answer;
      const everySetting = file.isText ? file.settings : [...file.settings, ...decodingSettings];
      this.#files.set(world, { ...file, settings: everySetting });
      if ('isExhausting' in facts) return errorOf(facts);
      const place = { world, id: 'own', settings: { ...settings, world } };
      return environmentOf(facts, new PlayedElsewhere(this.#workshop, place, this.#spent));
    }
    const error = answer?.type === 'mistaken' ? errorOf(answer.mistake) : NO_ANSWER;
    this.#files.set(world, error);
    return error;
  }

  #keep(key: string, world: Environment | LabError): void {
    const [oldest] = this.#worlds.keys();
    if (this.#worlds.size >= MOST && oldest !== undefined) this.#worlds.delete(oldest);
    this.#worlds.set(key, world);
  }
}

const keyOf = (world: string, settings: EnvironmentSettings): string =>
  JSON.stringify([Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)), world]);

function orThrow<T>(known: T | LabError): T {
  if (known instanceof LabError) throw known;
  return known;
}

const NO_ANSWER = new LabError('invalid-world', 'The world was not answered for.', 'Reload the page.');

const errorOf = ({ code, text, advice }: WorldMistake): LabError => new LabError(code, text, advice);

/** The answer; null where another question of the same asker took its place. Rejects where the sandbox does not come. */
function answerTo(workshop: Workshop, who: string, question: WorkshopQuestion): Promise<WorkshopAnswer | null> {
  return new Promise((resolve, reject) => {
    workshop.ask(who, question, (heard) => {
      if (heard?.type === 'failed') reject(new LabError('invalid-world', heard.text, 'Reload the page.'));
      else if (heard?.type !== 'checking') resolve(heard);
    });
  });
}

class PlayedElsewhere implements Elsewhere {
  readonly #workshop: Workshop;
  readonly #place: WorldSetup;
  readonly #spent: Map<string, LabError>;
  readonly #key: string;
  #exhibit: Promise<Exhibit> | null = null;
  /** Scenes of episodes, by their tokens. */
  readonly #drawn = new WeakMap<object, readonly Scene[]>();

  constructor(workshop: Workshop, place: WorldSetup, spent: Map<string, LabError>) {
    this.#workshop = workshop;
    this.#place = place;
    this.#spent = spent;
    this.#key = JSON.stringify(place);
  }

  within(id: string, settings: EnvironmentSettings): Elsewhere {
    return new PlayedElsewhere(this.#workshop, { ...this.#place, id, settings }, this.#spent);
  }

  exhibit(): Promise<Exhibit> {
    this.#exhibit ??= this.#ask(`exhibit ${this.#key}`, { type: 'exhibit', place: this.#place }).then(
      (answer) => (answer?.type === 'exhibited' ? answer.exhibit : unplayedExhibit(NO_ANSWER)),
      unplayedExhibit,
    );
    return this.#exhibit;
  }

  async scenes(board: string, { task, tokens, roles }: PlayedTokens): Promise<readonly Scene[] | null> {
    const known = this.#drawn.get(tokens);
    if (known !== undefined) return known;
    try {
      const answer = await this.#ask(board, { type: 'draw', place: this.#place, episode: { task, tokens, roles } });
      if (answer?.type !== 'drawn') return null;
      this.#drawn.set(tokens, answer.scenes);
      return answer.scenes;
    } catch (cause) {
      return [errorScene(asLabError(cause))];
    }
  }

  async randomSuccess(): Promise<number | null> {
    const answer = await this.#ask(`guess ${this.#key}`, { type: 'guess', place: this.#place });
    return answer?.type === 'guessed' ? answer.success : null;
  }

  /** Asks the Worker. Rejects with the fault of the world. */
  async #ask(who: string, question: WorkshopQuestion): Promise<WorkshopAnswer | null> {
    const spent = this.#spent.get(this.#place.world);
    if (spent !== undefined) throw spent;
    const answer = await answerTo(this.#workshop, who, question);
    if (answer?.type !== 'mistaken') return answer;
    const error = errorOf(answer.mistake);
    if (answer.mistake.isExhausting) this.#spent.set(this.#place.world, error);
    throw error;
  }
}

const unplayedExhibit = (cause: unknown): Exhibit => ({
  tokens: [],
  roles: [],
  scenes: [errorScene(asLabError(cause))],
  kinds: ['drawing'],
});
