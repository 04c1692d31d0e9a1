/** A word of a command for a shell: quoted where it must be. */
export const quote = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
