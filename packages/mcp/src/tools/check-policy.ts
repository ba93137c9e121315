import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type AskedAgent, askedAgent, explain, plainColours, type ReadNote } from '@wayleave/crawler/check';
import type { Evidence } from '@wayleave/protocols';
import {
	type DecisionInput,
	limitTexts,
	obligationTexts,
	type PreparedPolicies,
	preparePolicies,
	type Use,
	uses,
	type Verdict,
} from '@wayleave/protocols/policy';
import { defaultReadings, readPageUrl } from '@wayleave/protocols/url';
import { z } from 'zod';
import { address, argumentsOf } from '../call/arguments.ts';
import { reporting, type ToolContext } from '../call/context.ts';
import { untrustedSchema } from '../call/document.ts';
import { succeeded, untrusted } from '../call/fence.ts';
import { withProgress } from '../call/progress.ts';

const policyArguments = argumentsOf({
	url: address('Address of the page'),
	agent: z
		.string()
		.max(100)
		.optional()
		.describe('Product token of the agent, such as GPTBot; at most 100 characters. Default: this crawler'),
	uses: z
		.array(z.enum(uses))
		.max(uses.length)
		.optional()
		.describe(`The planned uses of the page, at most ${uses.length} uses. Default: all of them`),
});

const lineSchema = z.object({ source: z.string(), line: z.number(), text: z.string() });

const policySchema = z.object({
	url: z.string(),
	agent: z.string(),
	about: z.string(),
	verdicts: z.array(
		z.object({ use: z.string(), permitted: z.boolean(), effect: z.string(), limits: z.array(z.string()) }),
	),
	owed: z.array(z.string()).describe('what the agent owes to the site'),
	untrusted: untrustedSchema('written by the site', {
		because: z.array(z.object({ use: z.string(), lines: z.array(lineSchema) })).describe('the lines that decide'),
		read: z.array(z.object({ source: z.string(), note: z.string() })).describe('which files were read'),
	}),
});

/** Registers `check_policy`. */
export function registerCheck(server: McpServer, context: ToolContext): void {
	const { library } = context;
	server.registerTool(
		'check_policy',
		{
			title: 'May it?',
			description: 'Shows what a site allows an agent to do with a page, use by use, with the deciding policy line.',
			inputSchema: policyArguments,
			outputSchema: policySchema,
			annotations: { readOnlyHint: true, openWorldHint: true },
		},
		reporting(context, async ({ url, agent: named, uses: wanted }: z.output<typeof policyArguments>, extra) => {
			const asked = askedAgent(named === undefined ? {} : { agent: named });
			const reading = library.readTerms(url, true, extra.signal);
			const { policies, page, read } = await withProgress(extra, 'waiting for the site', reading);
			const terms = preparePolicies(policies, asked.agent);
			const verdicts = (wanted ?? uses).map((use) => strictest(terms, use, url, page ? { page } : {}));
			return presentVerdicts({ url, asked, verdicts, terms, read });
		}),
	);
}

/** The verdict on an address, or on the first of its other readings that is not permitted. */
function strictest(terms: PreparedPolicies, use: Use, url: string, input: DecisionInput): Verdict {
	const verdict = terms.decide(use, url, input);
	const page = readPageUrl(url, defaultReadings);
	if (!verdict.permitted || typeof page === 'string') return verdict;
	const others = page.readings.map((reading) => terms.decide(use, page.origin + reading, input));
	return others.find(({ permitted }) => !permitted) ?? verdict;
}

interface Answered {
	readonly url: string;
	readonly asked: AskedAgent;
	readonly verdicts: readonly Verdict[];
	readonly terms: PreparedPolicies;
	readonly read: readonly ReadNote[];
}

/** Verdicts and obligations are ours; the table with the deciding lines quotes the site. */
function presentVerdicts({ url, asked, verdicts, terms, read }: Answered): CallToolResult {
	const { called: agent, about } = asked;
	const rows = verdicts.map(({ use, permitted, effect, limits }) => ({
		use,
		permitted,
		effect,
		limits: limits === undefined ? [] : limitTexts(limits),
	}));
	const owed = obligationTexts(terms.obligations);
	const ours = [
		`url: ${url}`,
		`agent: ${agent} ${about}`,
		...rows.map(({ use, permitted, effect, limits }) =>
			[`${use}: ${permitted ? 'yes' : 'no'} (${effectTexts[effect]})`, ...limits].join('; '),
		),
		...owed.map((text) => `owed: ${text}`),
	];
	const theirs = explain({ url, agent, about, verdicts, terms, read }, plainColours).trimEnd();
	const because = verdicts.map(({ use, because: lines }) => ({ use, lines: lines.map(plainLine) }));
	const notes = read.map(({ source, note }) => ({ source, note }));
	return succeeded(
		{ ours, theirs, writer: 'site' },
		{ url, agent, about, verdicts: rows, owed, untrusted: untrusted({ because, read: notes }, 'site') },
	);
}

const effectTexts: Readonly<Record<Verdict['effect'], string>> = {
	allow: 'allowed',
	deny: 'forbidden',
	ask: 'the site requires permission first',
	limited: 'with limits',
	unspecified: 'not stated',
};

const plainLine = ({ source, line, text }: Evidence) => ({ source, line, text });
