/** Tables of a report: the newest measurements that somebody asked for by a look, of probes and of dreams. */
import type { Arm } from '../../../experiment/experiment';
import { HORIZONS } from '../../../store/run/dreamPoints';
import type { Looks } from '../../../store/run/looks';
import type { ProbeMoment } from '../../../train/protocol';
import { formatDecimals } from '../../kit/format';
import { table } from '../../model/files/table';
import { answersTo, layerName, MOMENT_NAMES, targetsOf } from '../../places/understand/why/inside/probed';

const MOMENTS = Object.keys(MOMENT_NAMES) as ProbeMoment[];

export function lookTables(arms: readonly Pick<Arm, 'id' | 'name'>[], { probed, dreamPoints }: Looks): string[] {
  const probes = probed.at(-1);
  const dreams = dreamPoints.at(-1);
  return [
    ...(probes === undefined ? [] : [heading('Read off by a linear probe', probes.update), probeTable(arms, probes)]),
    ...(dreams === undefined ? [] : [heading('Dreams', dreams.update), dreamTable(arms, dreams)]),
  ];
}

function heading(what: string, update: number): string {
  return `<h2>${what}, after ${update} updates</h2>`;
}

/** Table of probes: means over the seeds probed. */
function probeTable(arms: readonly Pick<Arm, 'id' | 'name'>[], probes: Looks['probed'][number]): string {
  const rows = targetsOf(probes).flatMap(({ id: target, name }) =>
    MOMENTS.flatMap((moment) =>
      answersTo({ target, moment }, probes).map((answer) => [
        `${name}, ${MOMENT_NAMES[moment]}`,
        arms.find(({ id }) => id === answer.arm)?.name ?? answer.arm,
        answer.layers.map(({ accuracy }, layer) => `${layerName(layer)} ${percent(accuracy)}`).join(', '),
        answer.layers.map(({ untrained }) => percent(untrained)).join(', '),
        percent(answer.majority),
      ]),
    ),
  );
  return table(['asked for', 'arm', 'rightly, by layer', 'with fresh weights', 'the commonest'], rows);
}

function dreamTable(arms: readonly Pick<Arm, 'id' | 'name'>[], { byArm }: Looks['dreamPoints'][number]): string {
  const ahead = HORIZONS.map((turns) => (turns === 'end' ? 'to the end' : turns === 1 ? '1 turn' : `${turns} turns`));
  const rows = arms.flatMap(({ id, name }) => {
    const dreamed = byArm[id];
    return dreamed === undefined ? [] : [[name, ...dreamed.agreement.map(percent), nats(dreamed.sensitivity)]];
  });
  return table(['arm', ...ahead.map((turns) => `agreement, ${turns}`), 'action sensitivity, nats'], rows);
}

const percent = (share: number): string => (Number.isFinite(share) ? `${Math.round(100 * share)}%` : '–');
const nats = (value: number): string => (Number.isFinite(value) ? formatDecimals(value, 2) : '–');
