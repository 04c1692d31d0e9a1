/** Form of a line, told by its fields, and its reader. */
import type { Json } from '../../foundation/json';
import { segmentsOfMessages } from '../chat';
import { field } from '../json';
import type { BatchTrajectory, FormId } from '../trajectory';
import type { Context } from './common';
import { readOpenEnv } from './openenv';
import { textTrajectory } from './texts';
import { readTrlText, readTrlTokens } from './trl';
import { readVerifiersText, readVerifiersTokens, turnsOf } from './verifiers';
import { readVerlText, readVerlTokens } from './verl';

interface Form {
  readonly id: FormId;
  readonly is: (has: (...names: string[]) => boolean, record: Json) => boolean;
  readonly read: (record: Json, context: Context) => BatchTrajectory | null;
}

/** Readers in the order in which they are tried: forms with tokens before forms with texts. */
const READERS: readonly Form[] = [
  { id: 'lab', is: (has) => has('input_ids', 'action_mask', 'policy_weights', 'meta'), read: readOpenEnv },
  { id: 'verl-tokens', is: (has) => has('responses'), read: readVerlTokens },
  { id: 'trl-tokens', is: (has) => has('completion_ids'), read: readTrlTokens },
  { id: 'openenv', is: (has) => has('segments') || has('input_ids', 'action_mask'), read: readOpenEnv },
  {
    id: 'verifiers-tokens',
    is: (has, record) => has('example_id') && turnsOf(record) !== null,
    read: readVerifiersTokens,
  },
  { id: 'verifiers-text', is: (has) => has('example_id') && has('completion'), read: readVerifiersText },
  { id: 'verl-text', is: (has) => has('input', 'output'), read: readVerlText },
  { id: 'trl-text', is: (has) => has('prompt', 'completion'), read: readTrlText },
  { id: 'messages', is: (has) => has('messages'), read: readMessages },
];

function readMessages(record: Json, context: Context): BatchTrajectory | null {
  const segments = segmentsOfMessages(field(record, 'messages'));
  if (segments === null) return null;
  context.found('messages');
  return textTrajectory(record, { segments }, context);
}

/** The form's name and its reader; null for a line of no known form. */
export function formOf(record: Json): Form | null {
  const has = (...names: string[]): boolean => names.every((name) => field(record, name) !== undefined);
  return READERS.find(({ is }) => is(has, record)) ?? null;
}
