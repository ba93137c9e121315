import type { CommandEntry } from './terminal/command.ts';

/** The commands, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
	{
		name: 'crawl',
		description: 'Turn a site into clean documents, on its own terms. Run it again to fetch only what changed.',
		load: async () => (await import('./commands/crawl/command.ts')).crawlCommand,
	},
	{
		name: 'fetch',
		description: 'Print one page as a document, on the terms of its site.',
		load: async () => (await import('./commands/fetch/command.ts')).fetchCommand,
	},
	{
		name: 'convert',
		description: 'Turn saved pages and web archives (.html, .warc, .gz) into clean documents, without network.',
		load: async () => (await import('./commands/convert/command.ts')).convertCommand,
	},
	{
		name: 'store',
		description: 'Show what the store of a crawl holds and why a URL ended as it did; export and prune it.',
		load: async () => (await import('./commands/store/command.ts')).storeCommand,
	},
	{
		name: 'som',
		description: 'Print a page as a SOM document (Semantic Object Model): its structure, at a fraction of the tokens.',
		load: async () => (await import('./commands/som/command.ts')).somCommand,
	},
	{
		name: 'check',
		description:
			'Say whether an agent may use a page, and which line says so. Without --use, the exit code is about crawl.',
		load: async () => (await import('./commands/check/command.ts')).checkCommand,
	},
	{
		name: 'check-live',
		description: 'Compare what a site serves with its policy file; show each difference, its line and its effect.',
		load: async () => (await import('./commands/check-live/command.ts')).checkLiveCommand,
	},
	{
		name: 'lint',
		description: 'Find errors and risks in policy files, manifests, IP ranges and documents.',
		load: async () => (await import('./commands/lint/command.ts')).lintCommand,
	},
	{
		name: 'init',
		description: 'Write a policy file, after a few questions or from flags.',
		load: async () => (await import('./commands/init/command.ts')).initCommand,
	},
	{
		name: 'publish',
		description: 'Add terms, a manifest of changes, and SOM and Markdown pages to a folder of static files.',
		load: async () => (await import('./commands/publish/command.ts')).publishCommand,
	},
	{
		name: 'gateway',
		description:
			'Run a proxy in front of a site: publish its terms, enforce them for agents, and record who does what.',
		load: async () => (await import('./commands/gateway/command.ts')).gatewayCommand,
	},
	{
		name: 'agents',
		description:
			'List and search known agents; explain which one a User-Agent names, and what the policy does with it.',
		load: async () => (await import('./commands/agents/command.ts')).agentsCommand,
	},
	{
		name: 'report',
		description: 'Show which agents followed which rules, from the ledger of the gateway.',
		load: async () => (await import('./commands/report/command.ts')).reportCommand,
	},
	{
		name: 'ranges',
		description: 'Build, search, merge and check lists of crawler IP ranges (JAFAR format).',
		load: async () => (await import('./commands/ranges/command.ts')).rangesCommand,
	},
	{
		name: 'digest',
		description: 'Build, compare and audit manifests that list what changed on a site (pagedigest).',
		load: async () => (await import('./commands/digest/command.ts')).digestCommand,
	},
	{
		name: 'serve',
		description: 'Run an AIWebIndex service over HTTP: a URL goes in, a document comes out.',
		load: async () => (await import('./commands/serve/command.ts')).serveCommand,
	},
	{
		name: 'verify',
		description: 'Prove that a domain is yours, by a DNS record or a file.',
		load: async () => (await import('./commands/verify/command.ts')).verifyCommand,
	},
	{
		name: 'keys',
		description: 'Create, list, revoke and rotate API keys of the service.',
		load: async () => (await import('./commands/keys/command.ts')).keysCommand,
	},
	{
		name: 'conformance',
		description: 'Show which requirements of the drafts are met, and which tests prove it.',
		load: async () => (await import('./commands/conformance/command.ts')).conformanceCommand,
	},
	{
		name: 'mcp',
		description: 'Offer fetch, crawl, check, lint and search as tools to an assistant (Model Context Protocol).',
		load: async () => (await import('./commands/mcp/command.ts')).mcpCommand,
	},
	{
		name: 'demo',
		description: 'Serve a small example site on this machine and crawl it.',
		load: async () => (await import('./commands/demo/command.ts')).demoCommand,
	},
	{
		name: 'completion',
		description: 'Print a script that completes commands and options in bash, zsh or fish.',
		load: async () => (await import('./commands/completion/command.ts')).completionCommand,
	},
];
