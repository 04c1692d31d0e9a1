/** All faults, in the order of the table in docs/reliability.md. A new one is an entry of a list here. */
import { diskFaults } from './disks';
import type { Fault } from './fault';
import { fileFaults } from './files';
import { processFaults } from './processes';
import { stateFaults } from './states';

export const FAULTS: readonly Fault[] = [...diskFaults, ...fileFaults, ...processFaults, ...stateFaults];
