/** A thread of the CPU in Node. */
import { servePoolThread } from '../node/poolThread';

servePoolThread();
