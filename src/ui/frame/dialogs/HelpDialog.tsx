/** Help: how to read the page, the keys, and the licence. */

import { Fragment } from 'react';
import { versionInWords } from '../../../experiment/provenance';
import { Button } from '../../kit/Button';
import { Dialog } from '../../kit/Dialog';
import { Chip } from '../../model/tokens/Chip';
import { beginTour } from '../../model/tourStore';
import { Packages } from './Packages';

const KEYS = [
  ['Space', 'run or pause'],
  ['S', 'one update, then pause'],
  ['/', 'look for a method by name'],
  ['?', 'this help'],
  ['Esc', 'close what is open'],
  ['← →', 'walk along a token strip or a chart that has the focus'],
] as const;

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const tour = () => {
    onClose();
    beginTour();
  };
  return (
    <Dialog title="How to read this page" isRead onClose={onClose}>
      <p>
        Every arm trains the same agent from the same start on the same tasks. The arms differ in what the table says:
        which tokens of an episode are learned from, and how.
      </p>
      <ul className="help-chips stack">
        <li className="facts">
          <Chip learning="policy">policy</Chip>
          <span>
            learns from the reward: it becomes likelier if its episode went better than others of the same task.
          </span>
        </li>
        <li className="facts">
          <Chip learning="predict">prediction</Chip>
          <span>learns by prediction, with or without reward: the policy is to expect it.</span>
        </li>
        <li className="facts">
          <Chip learning="veiled">hatched</Chip>
          <span>learns nothing: it is masked, or all episodes of its task were rewarded alike.</span>
        </li>
      </ul>
      <p>
        A line is the mean over seeds: repeats with other random numbers. Its band is the 95% interval, or with two or
        three seeds all from the lowest to the highest. A hollow mark is a setting changed while training. One seed
        proves nothing.
      </p>
      <dl className="facts">
        {KEYS.map(([key, words]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="small soft">
        Unmask is open source, under the{' '}
        <a href="LICENSE.txt" target="_blank" rel="noreferrer">
          Apache License 2.0
        </a>
        .
      </p>
      <p className="small soft" data-testid="version">
        Version {versionInWords()}. Who reports a fault helps by naming it.
      </p>
      <Packages />
      <div className="dialog-buttons">
        <Button data-testid="tour-open" onClick={tour}>
          Take the tour, two minutes
        </Button>
      </div>
    </Dialog>
  );
}
