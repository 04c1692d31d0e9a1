/** `lab serve`: a world of the lab for trainers that speak OpenEnv's protocol. */
import { findEnvironment } from '../../environments/registry';
import { encodeLink } from '../../experiment/link';
import { parseExperiment } from '../../experiment/parse';
import { firstPreset } from '../../experiment/presets';
import { LabError } from '../../foundation/errors';
import { createEnvironment } from '../../train/population/shape';
import { readExperiment } from '../experimentArgument';
import { flushed, print } from '../output';
import { wholeNumber } from '../runArguments';
import { labWorld } from './labWorld';
import { WorldServer } from './server';

export interface ServeArguments {
  set?: string[] | undefined;
  host?: string | undefined;
  port?: string | undefined;
  sessions?: string | undefined;
  idle?: string | undefined;
  json: boolean;
}

const HERE = '127.0.0.1';

/** Checks the arguments. Returns a function that serves until it is told to stop, and gives the exit code. */
export async function serveCommand(subject: string | undefined, given: ServeArguments): Promise<() => Promise<number>> {
  const port = count(given.port, 8000, 0, 65_535, '--port');
  const sessions = count(given.sessions, 64, 1, 4096, '--sessions');
  const idle = count(given.idle, 3600, 1, 604_800, '--idle');
  const { host = HERE } = given;
  const place = await readWorld(subject, given.set ?? []);
  const definition = findEnvironment(place.id);
  const environment = createEnvironment({ environment: place });
  const { title = place.id, summary = '' } = definition ?? {};
  const served = labWorld({ id: place.id, title, summary, environment });
  return async () => {
    const server = new WorldServer(served, { host, port, sessions, idle });
    const url = await server.listen();
    if (!/^(?:127\.|localhost$|::1$)/.test(host)) {
      process.stderr.write(
        `Anybody who reaches ${host} can play here: there is no password. Without --host only this machine can.\n`,
      );
    }
    const socket = `${url.replace('http', 'ws')}/ws`;
    if (given.json)
      print(`${JSON.stringify({ world: place.id, settings: place.settings, url, socket, sessions, idle })}\n`);
    else print(`Serves ${place.id} at ${url} (${socket}) to ${sessions} sessions. Stop it with Ctrl-C.\n`);
    await flushed();
    await new Promise<void>((stop) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
    });
    await server.close();
    return 0;
  };
}

/** Place of an experiment, or of a world by its id: what language models say is not held to legal words then. */
async function readWorld(subject: string | undefined, sets: readonly string[]) {
  const definition = findEnvironment(subject ?? '');
  if (definition === undefined) return (await readExperiment(subject, sets)).environment;
  const settings = definition.settings.some(({ key }) => key === 'decoding') ? { decoding: 'free' } : {};
  const experiment = parseExperiment({ ...firstPreset.experiment, environment: { id: definition.id, settings } });
  const paths = sets.map((set) => (set.startsWith('environment.') ? set : `environment.${set}`));
  return (await readExperiment(`#${encodeLink(experiment)}`, paths)).environment;
}

function count(text: string | undefined, usual: number, least: number, most: number, option: string): number {
  const number = text === undefined ? usual : wholeNumber(text, option);
  if (number >= least && number <= most) return number;
  throw new LabError('invalid-experiment', `${option} cannot be ${number}.`, `Choose ${least} to ${most}.`);
}
