/**
 * What the page's main thread did while something ran, from a browser trace: every task with its time on the clock and on
 * the processor. Where other programs or the trainer's own Workers keep all cores busy, the first is longer than the second.
 */
import type { Browser, Page } from 'playwright-core';

export interface Task {
  /** Milliseconds on the clock. */
  readonly wall: number;
  /** Milliseconds on the processor. */
  readonly cpu: number;
  readonly cause: string;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** Microseconds; `tdur` on the processor, missing where the system does not tell. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly src_func?: string };
}

/** Who posted the task, in words. */
const CAUSES: Readonly<Record<string, string>> = {
  PostTaskToMainThread: 'input',
  PostMessageToWorkerObject: 'message of the trainer',
  ScheduledActionSendBeginMainFrame: 'frame: style, layout, paint',
  DOMTimer: 'timer',
};

/** Runs `during` and returns the main thread's tasks, the longest on the processor first. */
export async function traceTasks(browser: Browser, page: Page, during: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await during();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = traceEvents.filter((event) => isTask(event) && mainThreads.has(threadOf(event)));
  // Other pages' renderers idle.
  const [busiest = []] = [...mainThreads]
    .map((thread) => tasks.filter((task) => threadOf(task) === thread))
    .sort((a, b) => total(b) - total(a));
  return busiest.map(describe).sort((a, b) => b.cpu - a.cpu);
}

const isTask = ({ name, ph }: TraceEvent): boolean => name === 'ThreadControllerImpl::RunTask' && ph === 'X';
const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
const total = (events: readonly TraceEvent[]): number => events.reduce((sum, { dur = 0 }) => sum + dur, 0);

function describe({ dur = 0, tdur = dur, args: { src_func: poster = 'unknown' } }: TraceEvent): Task {
  return { wall: dur / 1000, cpu: tdur / 1000, cause: CAUSES[poster] ?? poster };
}

/** The longest of them on the processor, and how long any kept the page waiting on the clock. */
export function longestOf(tasks: readonly Task[]): Task {
  const [first = { cpu: 0, wall: 0, cause: 'none' }] = tasks;
  return { ...first, wall: Math.max(first.wall, ...tasks.map(({ wall }) => wall)) };
}
