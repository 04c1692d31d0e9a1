/** Loss of a training's device as the cause of a failure. */
import type { LabError } from '../../../foundation/errors';
import type { Training } from '../../population/training';

/** Milliseconds to wait after a failure for the report that the device is gone. */
const LOSS_GRACE = 1000;

/**
 * The loss of the device behind a failure, null if there was none. It may be reported a little after the failure that it
 * caused.
 */
export function lossBehind({ lost }: Pick<Training, 'lost'>): Promise<LabError | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), LOSS_GRACE);
    void lost.then((error) => {
      clearTimeout(timer);
      resolve(error);
    });
  });
}
