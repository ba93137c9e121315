import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { sourceProgram } from '../../../../scripts/source-program.ts';

/** The official client, connected to a service. @param url of the service */
export async function connectHttp(url: string, token?: string): Promise<Client> {
	const client = new Client({ name: 'test', version: '1' });
	const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as never);
	return client;
}

/** Options with which `wayleave mcp` fetches from servers of the test, without a pause between requests. */
export const fromOwnServers = ['--allow-private', '127.0.0.1', '--i-own-this-site', '127.0.0.1', '--delay', '0'];

/** The official client, connected to `wayleave mcp` in a temporary folder. */
export async function connectStdio(...options: string[]): Promise<Client> {
	const client = new Client({ name: 'test', version: '1' });
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-mcp-'));
	const args = [sourceProgram('packages/wayleave/src/bin.ts'), 'mcp', ...options];
	await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'ignore' }) as never);
	return client;
}

/** All text of a result. */
export const textOf = (result: unknown): string =>
	(result as CallToolResult).content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** All characters that a reader may take for a line break. */
const lineBreaks = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** A text separated by author, parsed as the server's instructions say. */
export interface Apart {
	/** Lines outside the fence. */
	readonly outside: string[];
	readonly inside: string;
	/** Undefined without a fence. */
	readonly name: string | undefined;
}

export function apart(text: string): Apart {
	const [, before = text, name, inside = '', after = ''] =
		/^((?:(?!\n<untrusted-)[\s\S])*)\n<(untrusted-[\da-f]{32})>\n([\s\S]*?)\n<\/\2>([\s\S]*)$/.exec(text) ?? [];
	return { outside: (before + after).split(lineBreaks), inside, name };
}
