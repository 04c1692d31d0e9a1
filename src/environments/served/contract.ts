/** Worlds as a server of OpenEnv's protocol sees them. Nothing here knows the lab's own. */

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export interface StepReply {
  readonly observation: Fields;
  /** Reward of the action; null after a reset. */
  readonly reward: number | boolean | null;
  readonly done: boolean;
}

/** One episode after the other. An Error that it throws is told to the client by its message, and the session goes on. */
export interface ServedEnvironment {
  /** Begins an episode. `more`: further fields of the client. */
  reset(seed: number | string | null, episodeId: string | null, more: Fields): StepReply | Promise<StepReply>;
  /** Takes an action. `more`: further fields over HTTP. */
  step(action: Fields, more: Fields): StepReply | Promise<StepReply>;
  /** `episode_id`, `step_count` and anything else there is to tell. */
  state(): Fields;
}

export interface TaskSplit {
  readonly name: string;
  readonly type: 'train' | 'validation' | 'test';
}

/** Tasks that can be named; OpenEnv's task API. A method throws an Error for a split that there is not. */
export interface Tasks {
  readonly splits: readonly TaskSplit[];
  count(split: string): number;
  /** `index` is within the count. */
  task(split: string, index: number): Fields;
}

export interface Served {
  readonly name: string;
  readonly metadata: Fields;
  /** JSON schemas of actions, observations and states. */
  readonly schema: { readonly action: Fields; readonly observation: Fields; readonly state: Fields };
  /** Fields of an action that must be there, all of them texts. `metadata` may be there too. */
  readonly actionFields: readonly string[];
  /** True where any action is played, and one of another form is malformed in the world; otherwise it is refused. */
  readonly isForgiving?: boolean;
  /** Tasks; null where they cannot be named. */
  readonly tasks: Tasks | null;
  create(): ServedEnvironment;
}
