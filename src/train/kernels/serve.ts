/** The Worker's side of the page of kernels: one job after the other, on one device. */
import type { BackendChoice } from '../protocol';
import { type KernelDevice, openDevice } from './device';
import { checkFixtures } from './fixtures';
import { kernelTexts } from './list';
import type { KernelJob, KernelNews } from './report';
import { timeKernel } from './time';

let opened: { readonly choice: BackendChoice; readonly device: KernelDevice } | null = null;

async function deviceFor(choice: BackendChoice): Promise<KernelDevice> {
  if (opened?.choice === choice) return opened.device;
  opened?.device.release();
  opened = null;
  const device = await openDevice(choice, globalThis.navigator?.gpu);
  opened = { choice, device };
  return device;
}

export async function serveKernels(
  job: KernelJob,
  choice: BackendChoice,
  post: (news: KernelNews) => void,
): Promise<void> {
  if (job.type === 'list') {
    post({ type: 'list', kernels: kernelTexts() });
    return;
  }
  const progress = (done: number, of: number, text: string): void => post({ type: 'progress', done, of, text });
  progress(0, 1, 'opening the device');
  try {
    const device = await deviceFor(choice);
    post({ type: 'device', device: device.line });
    if (job.type === 'check') {
      // Making the cases takes seconds: neither the list nor a timing waits for them.
      progress(0, 1, 'preparing the cases');
      const { checkKernels } = await import('./check');
      await checkKernels(job.kernels, device, { progress, checked: (check) => post({ type: 'checked', check }) });
    } else if (job.type === 'time') {
      await timeKernel(job.kernel, device, { progress, timed: (timing) => post({ type: 'timed', timing }) });
    } else {
      post({ type: 'fixtures', report: await checkFixtures(job.name, job.file, device, progress) });
    }
  } catch (cause) {
    // After any failure the next job opens a new device.
    opened?.device.release();
    opened = null;
    throw cause;
  }
  post({ type: 'done' });
}
