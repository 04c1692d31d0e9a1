/**
 * Tasks of the page's main thread while something ran, from a browser trace, each with its wall time and its processor
 * time. If other programs or the trainer's Workers keep all cores busy, the first is longer than the second.
 */
import type { Browser, Page } from 'playwright-core';

export interface Task {
  /** Wall time, milliseconds. */
  readonly wall: number;
  /** Processor time, milliseconds. */
  readonly cpu: number;
  readonly cause: string;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** Microseconds of wall time; `tdur` of processor time, missing if the system does not tell. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly src_func?: string };
}

/** Names for the functions that post tasks. */
const CAUSES: Readonly<Record<string, string>> = {
  PostTaskToMainThread: 'input',
  PostMessageToWorkerObject: 'message of the trainer',
  ScheduledActionSendBeginMainFrame: 'frame: style, layout, paint',
  DOMTimer: 'timer',
};

/** Runs `during`. Returns the main thread's tasks, those of longest processor time first. */
export async function traceTasks(browser: Browser, page: Page, during: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await during();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = traceEvents.filter((event) => isTask(event) && mainThreads.has(threadOf(event)));
  // Renderers of other pages are idle.
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

/** Task of longest processor time, with the longest wall time of any task. */
export function longestOf(tasks: readonly Task[]): Task {
  const [first = { cpu: 0, wall: 0, cause: 'none' }] = tasks;
  return { ...first, wall: Math.max(first.wall, ...tasks.map(({ wall }) => wall)) };
}
