import type { AgentCategory } from './agent-identity.ts';

// Facts that operators publish about their own agents. Each row's `source` is the page that states them;
// a fact that no page of the operator states is left out, not guessed. When you change a row, read its source again.

/** An agent that sites meet or address. */
export interface KnownAgent {
	/** The product token in its User-Agent, and in the User-agent lines of robots.txt. */
	readonly token: string;
	readonly operator: string;
	/**
	 * What it fetches for, in the categories of robots2.txt; `data-harvester` for training and other bulk collection.
	 * Undefined where none fits, as for previews of shared links: the global policy of a site holds then (AMB-45).
	 */
	readonly category?: AgentCategory;
	/** The page of the operator that describes it. */
	readonly source: string;
	/** Where the operator publishes its address ranges. */
	readonly ranges?: string;
	/** Ends of the host names to which its addresses resolve; each begins with a dot. */
	readonly reverseDns?: readonly string[];
	/** Fetches only when a person asks for it. */
	readonly userTriggered?: true;
	/** Stands in robots.txt only: no request ever carries it, another agent of the operator obeys it. */
	readonly signalOnly?: true;
}

type Row = Omit<KnownAgent, 'operator' | 'source'> & { readonly source?: string };
type Operator = readonly [name: string, source: string, rows: readonly Row[]];

/** The known agents, by operator. Made by a call without effects, so that a bundle which does not ask leaves it out. */
export const knownAgents: readonly KnownAgent[] = /* @__PURE__ */ catalogue();

function catalogue(): KnownAgent[] {
	const googleDns = ['.googlebot.com', '.google.com'];
	const googleRanges = 'https://developers.google.com/static/crawling/ipranges';
	const googleDocs = 'https://developers.google.com/crawling/docs/crawlers-fetchers';
	const amazonDns = ['.crawl.amazonbot.amazon'];
	const yandexDns = ['.yandex.ru', '.yandex.net', '.yandex.com'];
	const operators: readonly Operator[] = [
		[
			'OpenAI',
			'https://platform.openai.com/docs/bots',
			[
				{ token: 'GPTBot', category: 'data-harvester', ranges: 'https://openai.com/gptbot.json' },
				{ token: 'OAI-SearchBot', category: 'search-indexer', ranges: 'https://openai.com/searchbot.json' },
				{
					token: 'ChatGPT-User',
					category: 'ai-assistant',
					ranges: 'https://openai.com/chatgpt-user.json',
					userTriggered: true,
				},
				{ token: 'OAI-AdsBot', category: 'ad-network' },
			],
		],
		[
			'Anthropic',
			'https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler',
			[
				{ token: 'ClaudeBot', category: 'data-harvester', ranges: 'https://claude.com/crawling/bots.json' },
				{ token: 'Claude-SearchBot', category: 'search-indexer', ranges: 'https://claude.com/crawling/bots.json' },
				{
					token: 'Claude-User',
					category: 'ai-assistant',
					ranges: 'https://claude.com/crawling/bots.json',
					userTriggered: true,
				},
			],
		],
		[
			'Google',
			`${googleDocs}/google-common-crawlers`,
			[
				...['Googlebot', 'Googlebot-Image', 'Googlebot-Video', 'Googlebot-News', 'Storebot-Google'].map(
					(token) =>
						({
							token,
							category: 'search-indexer',
							ranges: `${googleRanges}/common-crawlers.json`,
							reverseDns: googleDns,
						}) as const,
				),
				...['GoogleOther', 'GoogleOther-Image', 'GoogleOther-Video'].map(
					(token) =>
						({
							token,
							category: 'data-harvester',
							ranges: `${googleRanges}/common-crawlers.json`,
							reverseDns: googleDns,
						}) as const,
				),
				{
					token: 'Google-CloudVertexBot',
					category: 'ai-assistant',
					ranges: `${googleRanges}/common-crawlers.json`,
					reverseDns: googleDns,
				},
				{ token: 'Google-InspectionTool', category: 'monitoring', reverseDns: googleDns },
				{ token: 'Google-Extended', category: 'data-harvester', signalOnly: true },
				...['AdsBot-Google', 'AdsBot-Google-Mobile', 'Mediapartners-Google'].map(
					(token) =>
						({
							token,
							category: 'ad-network',
							source: `${googleDocs}/google-special-case-crawlers`,
							ranges: `${googleRanges}/special-crawlers.json`,
							reverseDns: ['.google.com'],
						}) as const,
				),
				{
					token: 'Google-NotebookLM',
					category: 'ai-researcher',
					source: `${googleDocs}/google-user-triggered-fetchers`,
					userTriggered: true,
				},
			],
		],
		[
			'Microsoft',
			'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0',
			[
				{
					token: 'bingbot',
					category: 'search-indexer',
					ranges: 'https://www.bing.com/toolbox/bingbot.json',
					reverseDns: ['.search.msn.com'],
				},
				{ token: 'adidxbot', category: 'ad-network', reverseDns: ['.search.msn.com'] },
				{ token: 'BingPreview', category: 'search-indexer', reverseDns: ['.search.msn.com'] },
			],
		],
		[
			'Apple',
			'https://support.apple.com/en-us/119829',
			[
				{
					token: 'Applebot',
					category: 'search-indexer',
					ranges: 'https://search.developer.apple.com/applebot.json',
					reverseDns: ['.applebot.apple.com'],
				},
				{ token: 'Applebot-Extended', category: 'data-harvester', signalOnly: true },
			],
		],
		[
			'Perplexity',
			'https://docs.perplexity.ai/docs/resources/perplexity-crawlers',
			[
				{
					token: 'PerplexityBot',
					category: 'search-indexer',
					ranges: 'https://www.perplexity.ai/perplexitybot.json',
				},
				{
					token: 'Perplexity-User',
					category: 'ai-assistant',
					ranges: 'https://www.perplexity.ai/perplexity-user.json',
					userTriggered: true,
				},
			],
		],
		[
			'Common Crawl',
			'https://commoncrawl.org/ccbot',
			[
				{
					token: 'CCBot',
					category: 'data-harvester',
					ranges: 'https://index.commoncrawl.org/ccbot.json',
					reverseDns: ['.crawl.commoncrawl.org'],
				},
			],
		],
		[
			'Meta',
			'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/',
			[
				{ token: 'meta-externalagent', category: 'data-harvester' },
				{ token: 'meta-webindexer', category: 'search-indexer' },
				{ token: 'meta-externalads', category: 'ad-network' },
				{ token: 'meta-externalfetcher', category: 'ai-assistant', userTriggered: true },
				{ token: 'facebookexternalhit', userTriggered: true },
			],
		],
		[
			'Amazon',
			'https://developer.amazon.com/amazonbot',
			[
				{ token: 'Amazonbot', category: 'data-harvester', reverseDns: amazonDns },
				{ token: 'Amzn-SearchBot', category: 'search-indexer' },
				{ token: 'Amzn-User', category: 'ai-assistant', userTriggered: true },
			],
		],
		[
			'Mistral AI',
			'https://docs.mistral.ai/robots',
			[
				{ token: 'MistralAI-Training', category: 'data-harvester' },
				{ token: 'MistralAI-Index', category: 'search-indexer' },
				{ token: 'MistralAI-User', category: 'ai-assistant', userTriggered: true },
			],
		],
		[
			'DuckDuckGo',
			'https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot',
			[
				{ token: 'DuckDuckBot', category: 'search-indexer', ranges: 'https://duckduckgo.com/duckduckbot.json' },
				{
					token: 'DuckAssistBot',
					category: 'ai-assistant',
					source: 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot',
					ranges: 'https://duckduckgo.com/duckassistbot.json',
				},
			],
		],
		[
			'Yandex',
			'https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots',
			[
				{ token: 'YandexBot', category: 'search-indexer', reverseDns: yandexDns },
				{ token: 'YandexImages', category: 'search-indexer', reverseDns: yandexDns },
				{
					token: 'YandexAdditional',
					category: 'ai-assistant',
					source: 'https://yandex.com/support/webmaster/en/search-appearance/fast',
					signalOnly: true,
				},
			],
		],
		[
			'Baidu',
			'https://help.baidu.com/question?prod_id=99&class=476&id=2996',
			[{ token: 'Baiduspider', category: 'search-indexer', reverseDns: ['.baidu.com', '.baidu.jp'] }],
		],
		['Ai2', 'https://allenai.org/crawler', [{ token: 'AI2Bot', category: 'data-harvester' }]],
		['You.com', 'https://about.you.com/youbot/', [{ token: 'YouBot', category: 'search-indexer' }]],
		[
			'Huawei',
			'https://webmaster.petalsearch.com/site/petalbot',
			[{ token: 'PetalBot', category: 'search-indexer', reverseDns: ['.petalsearch.com'] }],
		],
		[
			'Seznam',
			'https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/',
			[{ token: 'SeznamBot', category: 'search-indexer', reverseDns: ['.seznam.cz'] }],
		],
		[
			'Mojeek',
			'https://www.mojeek.com/bot.html',
			[{ token: 'MojeekBot', category: 'search-indexer', reverseDns: ['.mojeek.com'] }],
		],
		[
			'Internet Archive',
			'https://archive.org/details/archive.org_bot',
			[{ token: 'archive.org_bot', category: 'data-harvester' }],
		],
		[
			'Ahrefs',
			'https://ahrefs.com/robot',
			[
				{
					token: 'AhrefsBot',
					category: 'monitoring',
					reverseDns: ['.ahrefs.com', '.ahrefs.net'],
				},
			],
		],
		[
			'Semrush',
			'https://www.semrush.com/bot/',
			[{ token: 'SemrushBot', category: 'monitoring', reverseDns: ['.bot.semrush.com'] }],
		],
		['Majestic', 'https://mj12bot.com/', [{ token: 'MJ12bot', category: 'monitoring' }]],
		['Moz', 'https://moz.com/help/moz-procedures/crawlers/dotbot', [{ token: 'dotbot', category: 'monitoring' }]],
		[
			'Webz.io',
			'https://webz.io/bot.html',
			[
				{ token: 'omgili', category: 'data-harvester' },
				{ token: 'Webzio-Extended', category: 'data-harvester', signalOnly: true },
			],
		],
		[
			'X',
			'https://developer.x.com/en/docs/x-for-websites/cards/guides/troubleshooting-cards',
			[{ token: 'Twitterbot', userTriggered: true }],
		],
		[
			'Slack',
			'https://api.slack.com/robots',
			[{ token: 'Slackbot-LinkExpanding', userTriggered: true }, { token: 'Slackbot' }],
		],
		['UptimeRobot', 'https://uptimerobot.com/help/locations/', [{ token: 'UptimeRobot', category: 'monitoring' }]],
	];
	return operators.flatMap(([operator, source, rows]) => rows.map((row) => ({ operator, source, ...row })));
}
