/** `lab serve`: a world of the lab for trainers that speak OpenEnv's protocol. */
import { own, WORLD_KEY } from '../../environments/own/own';
import { definitionFor, findEnvironment } from '../../environments/registry';
import { freely, inWords, labWorld } from '../../environments/served/labWorld';
import type { Experiment } from '../../experiment/experiment';
import { encodeLink } from '../../experiment/link/link';
import { parseExperiment } from '../../experiment/parse';
import { firstPreset } from '../../experiment/presets/presets';
import { forTexts } from '../../experiment/presets/worlds/words';
import { excerpt, LabError } from '../../foundation/errors';
import { usage } from '../errors';
import { readExperiment } from '../experimentArgument';
import { print, untilFlushed } from '../output';
import { wholeNumber } from '../run/runArguments';
import { openWorldFile, worldArgument } from '../world/worldFile';
import { hostName, LOOPBACK } from './admission';
import { WorldServer } from './server';

export interface ServeArguments {
  set?: string[] | undefined;
  world?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  sessions?: string | undefined;
  idle?: string | undefined;
  'allow-host'?: string[] | undefined;
  origin?: string[] | undefined;
  json: boolean;
}

const HERE = '127.0.0.1';
/** Addresses that mean all of this machine's, which no client asks for. */
const EVERYWHERE = ['0.0.0.0', '::'];

/** Checks the arguments. Returns a function that serves until it is told to stop, and gives the exit code. */
export async function serveCommand(subject: string | undefined, flags: ServeArguments): Promise<() => Promise<number>> {
  const port = count(flags.port, 8000, 0, 65_535, '--port');
  const sessions = count(flags.sessions, 64, 1, 4096, '--sessions');
  const idle = count(flags.idle, 3600, 1, 604_800, '--idle');
  const { host = HERE } = flags;
  const hosts = servedHosts(host, flags['allow-host'] ?? []);
  const origins = (flags.origin ?? []).map(originOf);
  const place = await readWorld(subject, flags);
  const served = labWorld(inWords(place.id, place.settings));
  return async () => {
    const tell = (line: string): void => void process.stderr.write(`${line}\n`);
    const server = new WorldServer(served, { host, port, sessions, idle, hosts, origins, tell });
    const url = await server.listen();
    if (!LOOPBACK.test(hostName(host))) {
      process.stderr.write(
        `Anybody who reaches ${host} can play here: there is no password. Without --host only this machine can.\n`,
      );
    }
    const socket = `${url.replace('http', 'ws')}/ws`;
    if (flags.json)
      print(`${JSON.stringify({ world: place.id, settings: place.settings, url, socket, sessions, idle })}\n`);
    else print(`Serves ${place.id} at ${url} (${socket}) to ${sessions} sessions. Stop it with Ctrl-C.\n`);
    await untilFlushed();
    await new Promise<void>((stop) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
    });
    await server.close();
    return 0;
  };
}

/**
 * Place of an experiment, of a file with a world, or of an environment by its id, which then takes any word.
 */
async function readWorld(subject: string | undefined, { set = [], world }: ServeArguments): Promise<Place> {
  const definition = findEnvironment(subject ?? '');
  if (definition === undefined && world === undefined) return (await readExperiment(subject, set)).environment;
  if (subject !== undefined && world !== undefined) {
    const what = `--world ${world} is served alone, without “${subject}”.`;
    throw new LabError('invalid-experiment', what, 'Leave one of them out.');
  }
  const isText = world !== undefined && definitionFor(own.id, { [WORLD_KEY]: await openWorldFile(world) })?.isText;
  // Policies play no part here, and a world of texts has no place with those that begin from noise.
  const base = isText === true ? forTexts : firstPreset.experiment;
  const experiment =
    definition === undefined
      ? base
      : parseExperiment({ ...base, environment: { id: definition.id, settings: freely(definition) } });
  const placed = world === undefined ? experiment : (await worldArgument(world))(experiment);
  const paths = set.map((one) => (one.startsWith('environment.') ? one : `environment.${one}`));
  return (await readExperiment(`#${encodeLink(placed)}`, paths)).environment;
}

/** Names that clients may ask for besides loopback ones: the address that is listened at, and those given. */
function servedHosts(host: string, named: readonly string[]): string[] {
  const wrong = named.find((name) => !/^(?:\[[\da-f:.]+\]|[\da-f:.]*:[\da-f:.]*|[\w.-]+)$/i.test(name));
  if (wrong !== undefined) {
    throw usage(`--allow-host “${excerpt(wrong)}” is no name of a machine.`, 'Write it without scheme and port.');
  }
  if (EVERYWHERE.includes(host) && named.length === 0) {
    throw usage(
      `At --host ${host} clients are answered that ask for this machine by a known name, and none was given.`,
      'Add --allow-host NAME, or --allow-host localhost where all clients run on this machine.',
    );
  }
  return EVERYWHERE.includes(host) ? [...named] : [host, ...named];
}

/** Origin of a page as browsers send it. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw usage(
    `--origin “${excerpt(text)}” is no origin of a page.`,
    'Write scheme, name and port, such as http://localhost:3000.',
  );
}

type Place = Experiment['environment'];

function count(text: string | undefined, usual: number, least: number, most: number, option: string): number {
  const number = text === undefined ? usual : wholeNumber(text, option);
  if (number >= least && number <= most) return number;
  throw new LabError('invalid-experiment', `${option} cannot be ${number}.`, `Choose ${least} to ${most}.`);
}
