/** Models that can be talked to: one that comes with the lab, a folder, or a member of a run that began from one. */

import { isActionOver } from '../../environments/replay';
import { type BaseModel, findModel, MODELS } from '../../experiment/models';
import { openWorldsOf } from '../../experiment/ownWorld';
import { LAB_LICENCE } from '../../foundation/licence';
import { type ModelFolder, readJson } from '../../llama/folder';
import { type Model, readModel, readWithAdapter, withAdapter } from '../../llama/model';
import { readTokens } from '../../llama/text';
import { checkFinite } from '../../onnx/exportOnnx';
import { memberPolicy } from '../../train/policies/member';
import { createEnvironment } from '../../train/population/shape';
import { usage } from '../errors';
import { findMember } from '../policy/export';
import { readRun, type SavedRun } from '../run/runFolder';
import { modelFolder, shippedModel } from './disk';
import { folderOfModel } from './opened';

export interface Speaker {
  readonly name: string;
  readonly model: Model;
  /** Folder with its tokenizer, chat template and end tokens. */
  readonly folder: ModelFolder;
  /** Tokens that end a text and are no part of it. */
  readonly ends: ReadonlySet<number>;
  /** Demands of the speaker's world: the end of a reply, its longest in tokens, and the divisor of logits. */
  readonly isOver: (drawn: readonly number[]) => boolean;
  readonly most: number | null;
  readonly temperature: number;
}

export async function findSpeaker(
  subject: string | undefined,
  { member, adapter }: { readonly member?: string | undefined; readonly adapter?: string | undefined },
): Promise<Speaker> {
  const advice = `Name a folder with a model, a run’s folder, or ${MODELS.map(({ id }) => id).join(', ')}.`;
  if (subject === undefined) throw usage('No model was named.', advice);
  const folder = await modelIn(subject);
  if (folder === null) {
    if ((await modelFolder(subject).open('adapter_config.json')) !== null) {
      throw usage(`${subject} is an adapter.`, `Name the model below it, and add --adapter ${subject}.`);
    }
    if (adapter !== undefined) throw usage('A member of a run has its own adapter.', 'Leave --adapter out.');
    return memberSpeaker(subject, member, advice);
  }
  if (member !== undefined) throw usage(`${subject} is a model, no run.`, 'Leave --member out.');
  const model =
    adapter === undefined
      ? await readWithAdapter(folder)
      : await withAdapter(await readModel(folder), modelFolder(adapter));
  const ends = await endTokens(folder);
  return { name: folder.name, model, folder, ends, isOver: () => false, most: null, temperature: 1 };
}

/** Folder of a model; null where it is none. */
async function modelIn(subject: string): Promise<ModelFolder | null> {
  const folder = modelFolder(subject);
  if ((await folder.open('config.json')) !== null) return folder;
  const shipped = findModel(subject);
  return shipped === undefined ? null : shippedModel(shipped);
}

async function memberSpeaker(run: string, member: string | undefined, advice: string): Promise<Speaker> {
  const { checkpoint, remarks } = await readRun(run).catch((cause: unknown): SavedRun => {
    throw usage(`${run} is neither a model nor a run.`, advice, { cause });
  });
  for (const remark of remarks) process.stderr.write(`${remark}\n`);
  await openWorldsOf(checkpoint.experiment);
  const policy = memberPolicy(checkpoint, findMember(checkpoint, member), {}, LAB_LICENCE);
  if (policy.base === null) {
    throw usage('The policies of this run began from noise.', 'Only those that began from a language model say texts.');
  }
  checkFinite(policy.parameters);
  const folder = folderOfModel(policy.base);
  const environment = createEnvironment(policy);
  const ends = await endTokens(folder);
  return {
    name: `${policy.member.arm}/${policy.member.seed} after ${policy.update} updates`,
    model: await modelOf(policy, policy.base, folder),
    folder,
    // Where its world takes the end of a text as that of an action, the text goes on.
    ends: new Set([...ends].filter((token) => !isActionOver(environment, [token]))),
    isOver: (drawn) => isActionOver(environment, drawn),
    most: environment.maxActionTokens,
    temperature: policy.temperature,
  };
}

async function modelOf(
  { parameters, configuration }: Pick<Model, 'parameters' | 'configuration'>,
  { tokens, longest }: BaseModel,
  folder: ModelFolder,
): Promise<Model> {
  // Nothing of a reply depends on the greatest length, which in the model's world was that of an episode.
  const model = { parameters, configuration: { ...configuration, context: longest }, tokens };
  return configuration.adapters === undefined ? model : { ...model, frozen: (await readModel(folder)).frozen };
}

/** Tokens that end a text of the model, and that begin one: the one before is over then. */
async function endTokens(folder: ModelFolder): Promise<ReadonlySet<number>> {
  const { bos_token_id: begin } = await readJson(folder, 'config.json');
  const { ends } = await readTokens(folder);
  return new Set(typeof begin === 'number' ? [...ends, begin] : ends);
}

/** Number of an option. Throws LabError where it is none, or beyond the bounds. */
export function numberIn(text: string | undefined, option: string, usual: number, least: number, most: number): number {
  const value = text === undefined ? usual : Number(text);
  if (value >= least && value <= most) return value;
  throw usage(
    `${option} cannot be ${text}.`,
    `Choose a number ${least > 0 ? 'above 0, at most' : 'from 0 to'} ${most}.`,
  );
}
