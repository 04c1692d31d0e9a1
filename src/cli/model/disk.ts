/** Folders of models on disk. */
import { open, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ModelFile, ModelFolder } from '../../llama/folder';

/** Folder of the models that come with the lab. */
export const SHIPPED_MODELS = 'public/models';

export function modelFolder(path: string): ModelFolder {
  return {
    name: basename(resolve(path)),
    async open(file) {
      const found = await stat(join(path, file)).catch(() => null);
      return found?.isFile() ? fileOn(join(path, file), found.size) : null;
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
        const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}
