import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { explainReason, type Reason, reasonTexts } from '@wayleave/crawler';
import { nearestWord } from '@wayleave/io/messages';
import { z } from 'zod';
import { address, argumentsOf } from '../call/arguments.ts';
import { reporting, type ToolContext } from '../call/context.ts';
import { untrustedSchema } from '../call/document.ts';
import { failed, field, succeeded, untrusted } from '../call/fence.ts';

const explainArguments = argumentsOf({
	url: address('Address of a page that was fetched here; give url or reason').optional(),
	reason: z
		.string()
		.max(100)
		.optional()
		.describe(
			'A reason code, such as robots-disallow or http-404; at most 100 characters. Give url or reason. Default: none',
		),
});

const explanationSchema = z.object({
	url: z.string().optional(),
	outcome: z.string().optional().describe('how it ended: fetched, unchanged, gone, refused, failed, …; or unknown'),
	reason: z.string().optional(),
	explanation: z.string().optional().describe('what the reason means'),
	untrusted: untrustedSchema('written by the site', { redirected_to: z.string().optional() }).optional(),
});

/** Registers `explain`. */
export function registerExplain(server: McpServer, context: ToolContext): void {
	const { library } = context;
	server.registerTool(
		'explain',
		{
			title: 'Explain an outcome',
			description: 'Shows what is known about a URL: its outcome, the reason and the time; or explains a reason code.',
			inputSchema: explainArguments,
			outputSchema: explanationSchema,
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		reporting(context, async ({ url, reason }: z.output<typeof explainArguments>) => {
			if (reason !== undefined && url === undefined) return ofReason(reason);
			if (url === undefined || reason !== undefined) return failed('pass either url or reason');
			const known = await library.find(url);
			if (known === undefined)
				return succeeded(
					{ ours: [`${url}: nothing is known about it; fetch_document requests it from its site`] },
					{ url, outcome: 'unknown' },
				);
			const { outcome = 'waiting', reason: why, redirectedTo } = known;
			const explanation = why && explainReason(why);
			return succeeded(
				{
					ours: [`${url}: ${outcome}${why === undefined ? '' : ` (${why}: ${explanation})`}`],
					theirs: field('redirected to', redirectedTo).join('\n'),
					writer: 'site',
				},
				{
					url,
					outcome,
					...(why !== undefined && { reason: why, explanation }),
					...(redirectedTo !== undefined && { untrusted: untrusted({ redirected_to: redirectedTo }, 'site') }),
				},
			);
		}),
	);
}

function ofReason(reason: string) {
	if (!Object.hasOwn(reasonTexts, reason) && !/^http-[1-5]\d\d$/.test(reason)) return failed(unknownReason(reason));
	const explanation = explainReason(reason as Reason);
	return succeeded({ ours: [`${reason}: ${explanation}`] }, { reason, explanation });
}

function unknownReason(reason: string): string {
	const suggestion = nearestWord(reason, Object.keys(reasonTexts));
	const next =
		suggestion === undefined
			? 'codes look like robots-disallow, unsupported-type or http-404'
			: `did you mean ${suggestion}?`;
	return `reason: there is no such code; ${next}`;
}
