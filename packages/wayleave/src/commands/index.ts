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
		description: 'Turn a site into clean documents, on its own terms. Run it again to fetch only what changed.',
		load: async () => (await import('./crawl.ts')).crawlCommand,
	},
	{
		name: 'fetch',
		description: 'Print one page as a document, on the terms of its site.',
		load: async () => (await import('./fetch.ts')).fetchCommand,
	},
	{
		name: 'convert',
		description: 'Turn saved pages and web archives (.html, .warc, .gz) into clean documents, without network.',
		load: async () => (await import('./convert.ts')).convertCommand,
	},
	{
		name: 'store',
		description: 'Show what the store of a crawl holds and why a URL ended as it did; export and prune it.',
		load: async () => (await import('./store.ts')).storeCommand,
	},
	{
		name: 'som',
		description: 'Print a page as a SOM document (Semantic Object Model): its structure, at a fraction of the tokens.',
		load: async () => (await import('./som.ts')).somCommand,
	},
	{
		name: 'check',
		description:
			'Say whether an agent may use a page, and which line says so. Without --use, the exit code is about crawl.',
		load: async () => (await import('./check.ts')).checkCommand,
	},
	{
		name: 'check-live',
		description: 'Compare what a site serves with its policy file; show each difference, its line and its effect.',
		load: async () => (await import('./check-live.ts')).checkLiveCommand,
	},
	{
		name: 'lint',
		description: 'Find errors and risks in policy files, manifests, IP ranges and documents.',
		load: async () => (await import('./lint.ts')).lintCommand,
	},
	{
		name: 'init',
		description: 'Write a policy file, after a few questions or from flags.',
		load: async () => (await import('./init.ts')).initCommand,
	},
	{
		name: 'publish',
		description: 'Add terms, a manifest of changes, and SOM and Markdown pages to a folder of static files.',
		load: async () => (await import('./publish.ts')).publishCommand,
	},
	{
		name: 'gateway',
		description:
			'Run a proxy in front of a site: publish its terms, enforce them for agents, and record who does what.',
		load: async () => (await import('./gateway.ts')).gatewayCommand,
	},
	{
		name: 'agents',
		description:
			'List and search known agents; explain which one a User-Agent names, and what the policy does with it.',
		load: async () => (await import('./agents.ts')).agentsCommand,
	},
	{
		name: 'report',
		description: 'Show which agents followed which rules, from the ledger of the gateway.',
		load: async () => (await import('./report.ts')).reportCommand,
	},
	{
		name: 'ranges',
		description: 'Build, search, merge and check lists of crawler IP ranges (JAFAR format).',
		load: async () => (await import('./ranges.ts')).rangesCommand,
	},
	{
		name: 'digest',
		description: 'Build, compare and audit manifests that list what changed on a site (pagedigest).',
		load: async () => (await import('./digest.ts')).digestCommand,
	},
	{
		name: 'serve',
		description: 'Run an AIWebIndex service over HTTP: a URL goes in, a document comes out.',
		load: async () => (await import('./serve.ts')).serveCommand,
	},
	{
		name: 'verify',
		description: 'Prove that a domain is yours, by a DNS record or a file.',
		load: async () => (await import('./verify.ts')).verifyCommand,
	},
	{
		name: 'keys',
		description: 'Create, list, revoke and rotate API keys of the service.',
		load: async () => (await import('./keys.ts')).keysCommand,
	},
	{
		name: 'conformance',
		description: 'Show which requirements of the drafts are met, and which tests prove it.',
		load: async () => (await import('./conformance.ts')).conformanceCommand,
	},
	{
		name: 'mcp',
		description: 'Offer fetch, crawl, check, lint and search as tools to an assistant (Model Context Protocol).',
		load: async () => (await import('./mcp.ts')).mcpCommand,
	},
	{
		name: 'demo',
		description: 'Serve a small example site on this machine and crawl it.',
		load: async () => (await import('./demo.ts')).demoCommand,
	},
	{
		name: 'completion',
		description: 'Print a script that completes commands and options in bash, zsh or fish.',
		load: async () => (await import('./completion.ts')).completionCommand,
	},
];
