import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { checkFile, identify } from '@wayleave/gateway/lint';
import { explain, type LintProblem } from '@wayleave/gateway/lint/problems';
import { textOf } from '@wayleave/protocols';
import { formatNames } from '@wayleave/protocols/lint/format-names';
import { oneLine, quantity } from '@wayleave/protocols/text';
import { z } from 'zod';
import { address, argumentsOf } from '../call/arguments.ts';
import { reporting, type ToolContext } from '../call/context.ts';
import { untrustedSchema } from '../call/document.ts';
import { failed, succeeded, untrusted } from '../call/fence.ts';

const lintArguments = argumentsOf({
	text: z
		.string()
		.max(1_000_000)
		.optional()
		.describe('The text of the file, at most 1,000,000 characters; give text or url. Default: none'),
	url: address('Address of the file; give text or url').optional(),
	format: z.enum(formatNames).optional().describe('The format of the file. Default: detected from its URL and text'),
});

const problemSchema = z.object({
	line: z.number(),
	column: z.number(),
	severity: z.string(),
	code: z.string().describe('each code has a page in the documentation'),
});

const lintSchema = z.object({
	file: z.string(),
	format: z.string(),
	problems: z.array(problemSchema),
	untrusted: untrustedSchema('quotes the file', {
		sentences: z.array(z.string()).describe('one for each problem, in their order'),
	}).optional(),
});

/** Registers `lint`. */
export function registerLint(server: McpServer, context: ToolContext): void {
	const { library } = context;
	server.registerTool(
		'lint',
		{
			title: 'Check a policy file',
			description:
				'Reports problems in a robots.txt, robots2.txt, pagedigest manifest, range list, AIDocument or SOM document. Pass its text or its URL.',
			inputSchema: lintArguments,
			outputSchema: lintSchema,
			annotations: { readOnlyHint: true, openWorldHint: true },
		},
		reporting(context, async ({ text, url, format }: z.output<typeof lintArguments>, extra) => {
			if ((text === undefined) === (url === undefined)) return failed('pass either text or url');
			const file =
				url === undefined ? { bytes: new TextEncoder().encode(text) } : await library.readFile(url, extra.signal);
			if ('detail' in file) return failed(`${url}: the file could not be read.`, oneLine(file.detail), 'site');
			const name = url ?? 'text';
			const { known } = identify([{ name, bytes: file.bytes, text: textOf(file.bytes) }], format);
			const [first] = known;
			if (first === undefined) return failed(`the format is unclear: pass format, one of ${formatNames.join(', ')}`);
			return presentLint(name, first.format, checkFile(first));
		}),
	);
}

/** Positions, severities and codes are ours; the sentences quote the file. */
function presentLint(file: string, format: string, problems: readonly LintProblem[]): CallToolResult {
	const places = problems.map(({ line, column, severity, code }) => ({ line, column, severity, code }));
	const sentences = problems.map(explain);
	const ours =
		problems.length === 0
			? [`${file} (${format}): no problems found`]
			: [
					`${file} (${format}): ${quantity(problems.length, 'problem')}`,
					...places.map(({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`),
				];
	const theirs = places.map(
		({ line, column, severity, code }, at) => `${file}:${line}:${column} ${severity} ${code} ${sentences[at]}`,
	);
	return succeeded(
		{ ours, theirs: theirs.join('\n'), writer: 'file' },
		{ file, format, problems: places, ...(problems.length > 0 && { untrusted: untrusted({ sentences }, 'file') }) },
	);
}
