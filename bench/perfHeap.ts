/**
 * Bytes alive on the JavaScript heaps of a page and of its Workers (and theirs) after a forced collection, ArrayBuffers
 * included, by the DevTools protocol. A Worker is reached through the session of the page or Worker that started it.
 */
import type { Page } from 'playwright-core';

export interface Heap {
  readonly page: number;
  readonly workers: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { sessionId?: string; message?: string };
  readonly result?: { usedSize?: number; backingStorageSize?: number };
}

/** Target of the protocol: the page, or a Worker through its parent. */
class Target {
  readonly children: Target[] = [];
  readonly #write: (message: string) => void;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #ids = 0;
  #sessions = new Map<string, Target>();

  constructor(write: (message: string) => void) {
    this.#write = write;
  }

  send(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#ids;
    const reply = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.#write(JSON.stringify({ id, method, params }));
    return reply;
  }

  receive(message: Message): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    const { sessionId = '', message: inner = '' } = message.params ?? {};
    if (message.method === 'Target.attachedToTarget') this.#adopt(sessionId);
    if (message.method === 'Target.receivedMessageFromTarget')
      this.#sessions.get(sessionId)?.receive(JSON.parse(inner));
    if (message.method === 'Target.detachedFromTarget') {
      const gone = this.#sessions.get(sessionId);
      this.children.splice(0, this.children.length, ...this.children.filter((child) => child !== gone));
    }
  }

  /** Attaches to all Workers below; resolves when each has answered. */
  async attach(): Promise<void> {
    await this.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    await Promise.all(this.children.map((child) => child.attach()));
  }

  async bytes(): Promise<number> {
    await this.send('HeapProfiler.collectGarbage');
    await this.send('HeapProfiler.collectGarbage');
    const { usedSize = 0, backingStorageSize = 0 } = (await this.send('Runtime.getHeapUsage')).result ?? {};
    return usedSize + backingStorageSize;
  }

  async bytesBelow(): Promise<number> {
    const each = await Promise.all(
      this.children.map(async (child) => (await child.bytes()) + (await child.bytesBelow())),
    );
    return each.reduce((sum, bytes) => sum + bytes, 0);
  }

  #adopt(sessionId: string): void {
    const write = (message: string): void => void this.send('Target.sendMessageToTarget', { sessionId, message });
    const child = new Target(write);
    this.#sessions.set(sessionId, child);
    this.children.push(child);
  }
}

export async function measureHeap(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page);
  const target = new Target((text) => {
    const { id, method, params } = JSON.parse(text);
    session.send(method, params).then(
      (result) => target.receive({ id, result: result as Message['result'] & object }),
      () => target.receive({ id }),
    );
  });
  for (const method of ['Target.attachedToTarget', 'Target.receivedMessageFromTarget'] as const) {
    session.on(method, (params) => target.receive({ method, params }));
  }
  await target.attach();
  const heap = { page: await target.bytes(), workers: await target.bytesBelow() };
  await session.detach();
  return heap;
}
