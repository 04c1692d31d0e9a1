/** Answers to MCP's JSON-RPC: worlds here have no tools of that kind, and say so as OpenEnv's do. */
import type { Fields } from '../../environments/served/contract';
import { isJson } from '../../foundation/json';

const METHODS = ['tools/list', 'tools/call'];

export function answerMcp(request: unknown): Fields {
  const isRequest =
    isJson(request) &&
    request.jsonrpc === '2.0' &&
    typeof request.method === 'string' &&
    (request.params === undefined || isJson(request.params));
  if (!isRequest) return failure(null, -32600, 'Invalid request: it has jsonrpc "2.0", a method and params');
  const { id = null, method } = request;
  if (METHODS.includes(method as string)) return failure(id, -32603, 'Environment does not support MCP');
  return failure(id, -32601, `Method not found: ${method}`);
}

/** Answer to a message that is no JSON object at all. */
export const unreadable = (): Fields => failure(null, -32700, 'Parse error');

const failure = (id: unknown, code: number, message: string): Fields => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: null },
});
