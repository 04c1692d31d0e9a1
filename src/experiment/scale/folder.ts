/**
 * An arm on its way to a trainer of language models, as the files of a folder: configuration, loss, world and a README with
 * the commands in their order.
 */
import { findEnvironment } from '../../environments/registry';
import { compile } from '../../formula/compile';
import { TORCH_TARGETS, torchOf } from '../../formula/torch/targets';
import { LabError } from '../../foundation/errors';
import { policyText, predictionText } from '../arm/formulaTexts';
import { formulaLosses } from '../arm/roleRegularisers';
import type { Arm, Experiment } from '../experiment';
import { encodeLink } from '../link/link';
import { findModel } from '../models';
import { POLICY_LOSS, PORT, WORLD } from './fields';
import { armToScale, configurationOf } from './trainer';
import type { ForeignTrainer } from './trainers';

/** Command that starts each trainer, and its way to the world. */
const STARTS: Readonly<Record<string, { readonly command: string; readonly reach: string }>> = {
  verl: {
    command: 'MODEL=a-folder-or-name bash config.sh',
    reach:
      'agent_loop.py plays a session for each rollout and marks the tokens that the world showed (aux_token_loss_mask).',
  },
  rllm: {
    command: 'bash config.sh',
    reach: 'Its cookbook’s environment is yours to replace by one that plays a session of the socket.',
  },
  skyrl: {
    command: 'MODEL=a-folder-or-name bash config.sh',
    reach: 'environment.py, an environment of its gym, plays a session for each rollout.',
  },
  'prime-rl': {
    command: 'uv run rl @ config.toml --model.name MODEL',
    reach:
      'Through verifiers’ task set for OpenEnv. Observations arrive as the user’s messages: config.toml weighs that role.',
  },
  openrlhf: {
    command: 'MODEL=a-folder-or-name bash config.sh',
    reach: 'agent.py plays a session for each rollout.',
  },
  trl: {
    command: 'python3 train.py MODEL',
    reach:
      'train.py plays through rollout_func: the first observation, which begins with the instruction, is the prompt, answers and observations the completion.',
  },
};

/** The files, by name. Throws LabError for a fixed policy. */
export function scaleFolder(trainer: ForeignTrainer, experiment: Experiment, begun: Arm): ReadonlyMap<string, string> {
  const configuration = configurationOf(trainer, experiment, begun);
  const arm = armToScale(experiment, begun);
  const losses = lossFiles(trainer, arm);
  const link = `#${encodeLink(experiment)}`;
  const files = new Map<string, string>([
    [`config.${trainer.extension}`, configuration],
    ...losses.files,
    ...(trainer.files?.(experiment, arm, losses.isPlain) ?? []),
    ['serve.sh', serveScript(link, experiment)],
  ]);
  return new Map([
    ['README.md', readme(trainer, experiment, arm, configuration, [...files.keys()], losses.missing)],
    ...files,
  ]);
}

interface LossFiles {
  readonly files: readonly (readonly [name: string, text: string])[];
  /** True where the policy loss is a plain function, which the project cannot call. */
  readonly isPlain: boolean;
  /** Losses that cannot be printed, with the reason. */
  readonly missing: readonly string[];
}

/** The arm's losses as PyTorch: as the project registers one, or else as a plain function. */
function lossFiles({ id }: ForeignTrainer, arm: Arm): LossFiles {
  const losses = formulaLosses(arm);
  const policy = losses.find(({ place }) => place === 'policy')?.text ?? policyText(arm);
  const prediction = losses.find(({ place }) => place === 'predict')?.text ?? predictionText(arm);
  const texts: (readonly [name: string, text: string])[] = [
    [POLICY_LOSS, policy],
    ...(arm.ce.observation > 0 || arm.ce.warning > 0 ? [['prediction_loss', prediction] as const] : []),
    ...losses
      .filter(({ place }) => place === 'added')
      .map(({ name, text }) => [`${name.replaceAll('-', '_')}_loss`, text] as const),
  ];
  // rLLM trains on verl.
  const project = TORCH_TARGETS.find((target) => target === (id === 'rllm' ? 'verl' : id)) ?? 'torch';
  const files: (readonly [string, string])[] = [];
  const missing: string[] = [];
  let isPlain = false;
  for (const [name, text] of texts) {
    try {
      const formula = compile(text);
      const target = name === POLICY_LOSS ? project : 'torch';
      files.push([
        `${name}.py`,
        printBoth(
          () => torchOf(formula, target, name),
          () => {
            isPlain ||= name === POLICY_LOSS;
            return torchOf(formula, 'torch', name);
          },
          missing,
        ),
      ]);
    } catch (cause) {
      if (!(cause instanceof LabError)) throw cause;
      missing.push(`${name}: ${cause.what}`);
    }
  }
  return { files, isPlain, missing };
}

/** Text of `first`, or, where it cannot be printed, of `second`, with the reason added to `missing`. */
function printBoth(first: () => string, second: () => string, missing: string[]): string {
  try {
    return first();
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    missing.push(`${cause.what} So it is a plain function here.`);
    return second();
  }
}

/** True where only words of legal actions could be drawn in the experiment, and the world can be asked to take any. */
function isHeldToLegal({ environment: { id, settings } }: Experiment): boolean {
  const known = findEnvironment(id)?.settings.some(({ key }) => key === 'decoding') === true;
  return known && settings.decoding === 'legal';
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Command that writes the folder, for a clone of the lab. */
export const folderCommand = ({ id: trainer }: ForeignTrainer, experiment: Experiment, { id }: Arm): string =>
  `npm run -s lab -- scale ${quote(`#${encodeLink(experiment)}`)} --arm ${quote(id)} --to ${trainer} --out to-${trainer}`;

function serveScript(link: string, experiment: Experiment): string {
  const { batch } = experiment;
  const sessions = Math.max(64, batch.groups * batch.groupSize);
  const free = isHeldToLegal(experiment) ? ' --set environment.decoding=free' : '';
  return `#!/bin/bash
# Serves the experiment's world by OpenEnv's protocol. Run it in the folder of the lab, after npm ci; or, with an image of the lab,
#   podman run --publish ${PORT}:${PORT} unmask serve LINK --host 0.0.0.0 --allow-host localhost --port ${PORT} --sessions ${sessions}
# A trainer's whole batch plays at once: sessions are groups × group size, or more.
exec node scripts/run.mjs src/cli/main.ts serve ${quote(link)}${free} --port ${PORT} --sessions ${sessions} "$@"
`;
}

function readme(
  trainer: ForeignTrainer,
  experiment: Experiment,
  arm: Arm,
  configuration: string,
  files: readonly string[],
  missing: readonly string[],
): string {
  const { title, timeline } = experiment;
  const model = findModel(experiment.policy.model);
  const { command = '', reach = '' } = STARTS[trainer.id] ?? {};
  const python = files.filter((name) => name.endsWith('_loss.py'));
  const lost = [
    ...trainer.cautions,
    ...missing,
    ...(timeline.length === 0 ? [] : ['Changes made while training: the values are those after the last one.']),
    model === undefined
      ? 'The policy: it has other words, and thousands of weights where a language model has billions. The question goes, not the answer.'
      : `The model: the arm began from ${model.title}${model.folder === '' ? '' : `, which is public/${model.folder} of the lab, and may be named as MODEL`}. Any model without a chat template goes on with the world’s texts; a larger one wants a smaller learning rate.`,
    ...(isHeldToLegal(experiment)
      ? [
          'Legal sets: a language model may say anything, so serve.sh takes any word (decoding=free) and the world warns.',
        ]
      : []),
    `What has no field in ${trainer.title} is named at the top of config.${trainer.extension} (${configuration.split('\n').filter((line) => line.startsWith('#')).length} lines).`,
  ];
  return `# “${oneLine(title)}”, arm “${oneLine(arm.name)}”, for ${trainer.title}

## What does not carry over

${lost.map((line) => `- ${oneLine(line)}`).join('\n')}

## Five commands, in this order

1. In a clone of the lab: \`npm ci\`
2. The world, and leave it running: \`bash THIS_FOLDER/serve.sh\` (also there)
3. ${model === undefined ? `Is it there, and can it be learned in? \`npm run -s lab -- run gridworld-tiny --environment openenv:${WORLD} --updates 20\`` : `Is it there? \`curl -H 'Content-Type: application/json' -d '{"seed": 1}' ${WORLD}/reset\``}
4. Do the losses load? \`python3 -m py_compile ${python.join(' ')}\` (here; PyTorch is needed only when they run)
5. ${trainer.files === undefined ? 'With model, data and hardware filled in' : 'With a model'}: \`${command}\` (where ${trainer.title} is installed)

How ${trainer.title} reaches the world: ${reach}

## Files

${files.map((name) => `- \`${name}\`: ${ABOUT[name.replace(/\..*/, '')] ?? 'a loss added to these, as a plain function'}`).join('\n')}
`;
}

const ABOUT: Readonly<Record<string, string>> = {
  config: 'the arm’s settings under the trainer’s names',
  policy_loss: 'the policy loss as PyTorch; its header says where it goes',
  prediction_loss: 'the loss on observations and warnings, token by token, as a plain function',
  serve: 'the world as a server',
  train: 'plays the world and trains',
  episode: 'a session of the world as tokens',
  agent: 'OpenRLHF’s agent in the world',
  agent_loop: 'verl’s agent loop in the world, and the file that names it to verl',
  environment: 'SkyRL’s environment in the world',
  main: 'SkyRL’s own experiment with that environment registered',
  tasks: 'writes the tasks that the trainer reads, each a seed of the world',
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
