import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startService } from '../testing/start-service.ts';

it('a client that asks for it has its connection closed after the answer', async () => {
	const service = await startService();
	const clientInfo = { name: 'test', version: '1' };
	const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
	const call = request(`${service.url}/mcp`, {
		method: 'POST',
		agent: false,
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			connection: 'close',
		},
	});
	call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
	const [response] = await once(call, 'response');
	expect({ status: response.statusCode, connection: response.headers.connection }).toEqual({
		status: 200,
		connection: 'close',
	});
	response.resume();
	await once(response, 'end');
	await service.close();
});
