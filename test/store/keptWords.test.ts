/** Words on a kept run that follow each other at once, in two tabs and beside writes of the run: none is lost. */
import { beforeEach, expect, test } from 'vitest';
import { openRunArchive } from '../../src/storage/runs';
import { Tab } from '../faults/tab';
import { emptyStorage } from '../support/fakeStorage';

beforeEach(emptyStorage);

function* ordersOf<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield [];
  for (const [i, one] of all.entries()) {
    for (const rest of ordersOf(all.toSpliced(i, 1))) yield [one, ...rest];
  }
}

test('a note, a star, its curves and a write of the run are all kept and listed, in whatever order they come', async () => {
  const [training, other] = [new Tab(), new Tab()];
  training.begin();
  await training.train();
  const archive = await openRunArchive();
  const [run] = await archive.list();
  if (run === undefined) throw new Error('No run was kept.');
  const { id } = run;
  const [here, there] = [training.lab.kept, other.lab.kept];
  let round = 0;
  const asked = [
    () => here.annotate(id, { note: `note ${round}` }),
    () => there.annotate(id, { starred: round % 2 === 0 }),
    () => here.compare(run, true),
    () => training.train(),
  ];
  for (const order of ordersOf(asked)) {
    round += 1;
    await Promise.all(order.map((ask) => ask()));
    const words = { note: `note ${round}`, starred: round % 2 === 0, updates: 1 + round };
    expect((await archive.list())[0]).toMatchObject(words);
    await here.undelete();
    const { runs, compared, problem } = here.store.getState();
    expect(runs[0]).toMatchObject(words);
    expect({ compared, problem }).toEqual({ compared: [id], problem: null });
    await here.compare(run, false);
  }
});
