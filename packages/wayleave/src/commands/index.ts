import type { CommandFactory } from '../command.ts';

/** A command by its name; its code is loaded when it is asked for, so that starting is quick. */
export interface CommandEntry {
	readonly name: string;
	readonly description: string;
	load(): Promise<CommandFactory>;
}

/** The commands, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
	{
		name: 'crawl',
		description: 'Fetch a site as clean documents, on its own terms; again, and only what changed.',
		load: async () => (await import('./crawl.ts')).crawlCommand,
	},
	{
		name: 'fetch',
		description: 'One page to stdout, on the terms of its site.',
		load: async () => (await import('./fetch.ts')).fetchCommand,
	},
	{
		name: 'convert',
		description: 'Saved pages and web archives (.html, .warc, .gz) as clean documents. No network.',
		load: async () => (await import('./convert.ts')).convertCommand,
	},
	{
		name: 'store',
		description: 'Look into the store of a crawl: what it holds, why a URL ended as it did; export, prune.',
		load: async () => (await import('./store.ts')).storeCommand,
	},
	{
		name: 'som',
		description: 'A page as a SOM document: what an agent needs of it, at a fraction of the tokens.',
		load: async () => (await import('./som.ts')).somCommand,
	},
	{
		name: 'check',
		description: 'May an agent use a page, and which line says so? Without --use the exit code is about crawl.',
		load: async () => (await import('./check.ts')).checkCommand,
	},
	{
		name: 'check-live',
		description:
			'Does the world see what the policy file means? Each difference with its line and what follows from it.',
		load: async () => (await import('./check-live.ts')).checkLiveCommand,
	},
	{
		name: 'lint',
		description: 'What is wrong or risky in policy files, manifests, IP ranges and documents.',
		load: async () => (await import('./lint.ts')).lintCommand,
	},
	{
		name: 'init',
		description: 'Write a policy file, after a few questions or from flags.',
		load: async () => (await import('./init.ts')).initCommand,
	},
	{
		name: 'publish',
		description:
			'Make a folder of static files ready for agents: terms in every vocabulary, a manifest, cheap representations.',
		load: async () => (await import('./publish.ts')).publishCommand,
	},
	{
		name: 'gateway',
		description: 'Stand in front of a site: tell agents its terms, keep them to these, and write down who does what.',
		load: async () => (await import('./gateway.ts')).gatewayCommand,
	},
	{
		name: 'report',
		description: 'Tell which agent kept which rule, from the ledger of the gateway.',
		load: async () => (await import('./report.ts')).reportCommand,
	},
	{
		name: 'ranges',
		description: 'Lists of the IP ranges of crawlers (JAFAR): build, look up, merge, check.',
		load: async () => (await import('./ranges.ts')).rangesCommand,
	},
	{
		name: 'digest',
		description: 'Manifests that say what changed (pagedigest): build, compare, audit.',
		load: async () => (await import('./digest.ts')).digestCommand,
	},
	{
		name: 'serve',
		description: 'The AIWebIndex service: a URL in, a document out, with an honest cache.',
		load: async () => (await import('./serve.ts')).serveCommand,
	},
	{
		name: 'verify',
		description: 'Prove that a domain is yours: by a DNS record or a file.',
		load: async () => (await import('./verify.ts')).verifyCommand,
	},
	{
		name: 'keys',
		description: 'API keys of the service: create, list, revoke, rotate.',
		load: async () => (await import('./keys.ts')).keysCommand,
	},
	{
		name: 'conformance',
		description: 'Which requirement of which draft is kept, and which tests show it.',
		load: async () => (await import('./conformance.ts')).conformanceCommand,
	},
	{
		name: 'mcp',
		description: 'The same abilities as tools for an assistant (Model Context Protocol).',
		load: async () => (await import('./mcp.ts')).mcpCommand,
	},
	{
		name: 'demo',
		description: 'Serve a small site on this machine and crawl it, to see what comes out.',
		load: async () => (await import('./demo.ts')).demoCommand,
	},
	{
		name: 'completion',
		description: 'A script that completes commands and options in bash, zsh or fish.',
		load: async () => (await import('./completion.ts')).completionCommand,
	},
];
