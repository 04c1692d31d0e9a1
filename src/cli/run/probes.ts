/** Results of one fitting of linear probes, as lines: for each layer the mean over seeds. */
import { targetsCalled } from '../../environments/probes';
import { PROBE_MOMENTS, type Probe } from '../../rl/look/probes/linear';
import type { Probed } from '../../train/looks/shown';

export function probeLines({ update, members }: Probed): string[] {
  const arms = [...new Set(members.map(({ arm }) => arm))];
  const targets = new Set(members.flatMap(({ probes }) => probes.map(({ target }) => target)));
  const lines = targetsCalled(targets).flatMap(({ id, name }) =>
    PROBE_MOMENTS.flatMap((moment) =>
      arms.flatMap((arm) => {
        const probed = members
          .filter((member) => member.arm === arm)
          .flatMap(({ probes }) => probes.filter((probe) => probe.target === id && probe.moment === moment));
        return probed.length === 0 ? [] : [line(`${name}, after the ${moment}`, arm, probed)];
      }),
    ),
  );
  const title = cells('probed', 'arm', 'by layer', 'fresh weights', 'commonest', 'tokens');
  return [`After ${update} updates, a linear probe reads off:`, title, ...lines];
}

function line(target: string, arm: string, probes: readonly Probe[]): string {
  const mean = (of: (probe: Probe) => number): number => probes.reduce((sum, one) => sum + of(one), 0) / probes.length;
  const byLayer = (of: (probe: Probe) => readonly number[]): string =>
    (of(probes[0] as Probe) ?? []).map((_, layer) => mean((one) => of(one)[layer] as number).toFixed(2)).join(' ');
  return cells(
    target,
    arm,
    byLayer(({ accuracy }) => accuracy),
    byLayer(({ untrained }) => untrained),
    mean(({ majority }) => majority).toFixed(2),
    mean(({ examples }) => examples).toFixed(0),
  );
}

function cells(target: string, ...values: readonly string[]): string {
  return `${target.padEnd(44)} ${values.map((text) => text.padEnd(20)).join(' ')}`.trimEnd();
}
