/** A program that reads worlds' texts and prints what is said of each, a line of JSON: code and message. Milliseconds of a call come first. */
import { Guest, openQuickJs } from '../../src/environments/own/sandbox';
import { asLabError } from '../../src/foundation/errors';

const [, , patience, ...texts] = process.argv;
for (const text of texts) {
  // A text may have broken it.
  await openQuickJs();
  const guest = new Guest(text, null, Number(patience));
  try {
    console.log(JSON.stringify(['', guest.value('describe', 'null')]));
  } catch (cause) {
    const { code, message } = asLabError(cause);
    console.log(JSON.stringify([code, message]));
  }
  guest.close();
}
