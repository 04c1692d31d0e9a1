/** A thread of the lab: it runs the same bundle as the command that started it. */
import { isPoolThread, servePoolThread } from '../node/poolThread';
import { serveOpenEnvThread } from './openenv/thread';

export const serveThread = (): void => (isPoolThread() ? servePoolThread() : serveOpenEnvThread());
