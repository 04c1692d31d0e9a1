/** Model that the command was told to open, for the commands that it prints: they need it too. */
import { quote } from '../shell';

let argument = '';

export function rememberModel(path: string | undefined): void {
  argument = path === undefined ? '' : ` --model ${quote(path)}`;
}

/** ` --model DIR`; empty where none was named. */
export const modelArgument = (): string => argument;
