/** Actions of worlds behind OpenEnv's protocol, from schemas as pydantic writes them. */
import { describe, expect, test } from 'vitest';
import { actionsOf, namesOf, Unsendable } from '../../../src/cli/openenv/forms';
import { TEXT_HOLE } from '../../../src/environments/remoteWorld';

const of = (properties: object, more: object = {}) => ({
  type: 'object',
  properties: { metadata: { type: 'object', additionalProperties: true }, ...properties },
  required: Object.keys(properties),
  ...more,
});
const MOVE = { $defs: { MoveAction: { enum: ['UP', 'DOWN'], type: 'string' } } };
const NONE = new Map<string, readonly string[]>();

test.each([
  ['a text', of({ message: { type: 'string' } }), [{ message: TEXT_HOLE }]],
  [
    'an enumeration behind $ref',
    of({ action: { $ref: '#/$defs/MoveAction', description: '' } }, MOVE),
    [{ action: 'UP' }, { action: 'DOWN' }],
  ],
  [
    'a $ref inside allOf',
    of({ action: { allOf: [{ $ref: '#/$defs/MoveAction' }], default: 'UP' } }, MOVE),
    [{ action: 'UP' }, { action: 'DOWN' }],
  ],
  ['literals', of({ turn: { enum: ['left', 3] } }), [{ turn: 'left' }, { turn: 3 }]],
  ['truth values', of({ jump: { type: 'boolean' } }), [{ jump: false }, { jump: true }]],
  ['bounded integers', of({ x: { type: 'integer', minimum: 1, maximum: 3 } }), [{ x: 1 }, { x: 2 }, { x: 3 }]],
  [
    'exclusive bounds and a step',
    of({ x: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 7, multipleOf: 3 } }),
    [{ x: 3 }, { x: 6 }],
  ],
  [
    'what may be absent',
    of({ x: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } }),
    [{ x: false }, { x: true }, { x: null }],
  ],
  [
    'a discriminated union',
    {
      oneOf: [
        of({ kind: { const: 'look' } }, { required: [] }),
        of({ kind: { const: 'say' }, text: { type: 'string' } }, { required: ['text'] }),
      ],
    },
    [{ kind: 'look' }, { kind: 'say', text: TEXT_HOLE }],
  ],
  [
    'two fields',
    of({ x: { type: 'boolean' }, to: of({ y: { enum: ['a', 'b'] } }) }),
    [
      { x: false, to: { y: 'a' } },
      { x: false, to: { y: 'b' } },
      { x: true, to: { y: 'a' } },
      { x: true, to: { y: 'b' } },
    ],
  ],
  ['no field', { type: 'object', properties: {} }, [{}]],
])('%s is listed', (_, schema, actions) => {
  expect(actionsOf(schema, NONE)).toEqual(actions);
});

test.each([
  ['an integer without bounds', of({ column: { type: 'integer' } }), 'column', 'is an integer without bounds'],
  ['a number', of({ force: { type: 'number' } }), 'force', 'is of type number'],
  ['a list', of({ tokens: { type: 'array', items: { type: 'integer' } } }), 'tokens', 'is of type array'],
  [
    'an open object',
    of({ arguments: { type: 'object', additionalProperties: true } }),
    'arguments',
    'is of type object',
  ],
  ['a list inside an object', of({ to: of({ cells: { type: 'array' } }) }), 'to.cells', 'is of type array'],
  [
    'a reference to nothing',
    of({ x: { $ref: '#/$defs/Nothing' } }),
    'x',
    'refers to #/$defs/Nothing, which is not there',
  ],
  ['a reference to itself', of({ x: { $ref: '#/properties/x' } }), 'x', 'refers to #/properties/x, which is not there'],
  ['two texts', of({ a: { type: 'string' }, b: { type: 'string' } }), 'the action', 'has more than one text'],
  ['too many values', of({ x: { type: 'integer', minimum: 0, maximum: 1e9 } }), 'x', 'has more than 2000 values'],
  [
    'too many actions',
    of(Object.fromEntries([...'abc'].map((key) => [key, { type: 'integer', minimum: 1, maximum: 20 }]))),
    'c',
    'makes more than 2000 actions',
  ],
])('%s is refused by name', (_, schema, field, why) => {
  const refused = () => actionsOf(schema, NONE);
  expect(refused).toThrow(Unsendable);
  try {
    refused();
  } catch (cause) {
    expect([(cause as Unsendable).field, (cause as Unsendable).message]).toEqual([field, why]);
  }
});

describe('Values that the command names', () => {
  test('make integers sendable, and fields that may be left out', () => {
    const schema = of({ action_id: { type: 'integer' }, game: { type: 'string' } }, { required: ['action_id'] });
    const given = new Map([
      ['action_id', ['0', '1']],
      ['game', ['7']],
    ]);
    expect(actionsOf(schema, given)).toEqual([
      { action_id: 0, game: '7' },
      { action_id: 1, game: '7' },
    ]);
  });

  test('reach a field inside another by its path', () => {
    const schema = of({ to: of({ x: { type: 'number' } }) });
    expect(actionsOf(schema, new Map([['to.x', ['0.5']]]))).toEqual([{ to: { x: 0.5 } }]);
  });
});

test('names tell where actions differ', () => {
  expect(namesOf([{ x: 0 }, { x: 1 }])).toEqual(['0', '1']);
  expect(namesOf([{ x: '1' }, { x: 1 }])).toEqual(['{"x":"1"}', '{"x":1}']);
  const call = (tool: string, parts: object) => ({ type: 'call_tool', tool_name: tool, arguments: parts });
  expect(namesOf([call('look', {}), call('go', { to: 'the door' })])).toEqual([
    'tool_name=look',
    'tool_name=go arguments.to="the door"',
  ]);
});
