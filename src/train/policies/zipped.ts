/** A folder as one file that a browser can save. */

/** Files in one folder, not compressed: weights do not get smaller. The same files give the same bytes. */
export async function zipOf(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import('fflate');
  const entries = Array.from(files, ([name, bytes]) => [`${folder}/${name}`, bytes] as const);
  return new Uint8Array(zipSync(Object.fromEntries(entries), { level: 0, mtime: FIRST_DATE }));
}

/** First date that a zip can tell, in any time zone. */
const FIRST_DATE = new Date(1980, 0, 1);
