/** Folders of models on disk. */
import { open, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { BaseModel } from '../../experiment/models';
import type { ModelFile, ModelFolder } from '../../llama/folder';

/** Folder of a model that comes with the lab. */
export const shippedModel = ({ folder, title }: BaseModel): ModelFolder => ({
  ...modelFolder(join(globalThis.unmaskHome ?? '', 'public', folder)),
  name: title,
});

/** Bytes asked for at once; Node's limit is 2 GiB. */
const PIECE = 2 ** 28;

export function modelFolder(path: string): ModelFolder {
  return {
    name: basename(resolve(path)),
    async open(file) {
      const entry = await stat(join(path, file)).catch(() => null);
      return entry?.isFile() ? fileOn(join(path, file), entry.size) : null;
    },
  };
}

function fileOn(path: string, bytes: number): ModelFile {
  return {
    bytes,
    async read(from, to) {
      const file = await open(path);
      try {
        const buffer = new Uint8Array(to - from);
        let done = 0;
        while (done < buffer.length) {
          const { bytesRead } = await file.read(buffer, done, Math.min(PIECE, buffer.length - done), from + done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return buffer.subarray(0, done);
      } finally {
        await file.close();
      }
    },
  };
}
