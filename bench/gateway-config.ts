// What the benches of the gateway have in common.
import { checkConfig } from '@wayleave/gateway';

export const page = `<!doctype html><title>Page</title>${'<p>Forty kilobytes of page.</p>'.repeat(1420)}`;

export const agents = {
	browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
	allowed: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
	denied: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
};

export const config = checkConfig({
	origin: 'http://bench.example',
	paths: { disallow: ['/admin', '/private/*.pdf$', '/*?session='], agents: { GPTBot: { disallow: ['/'] } } },
	policy: { crawl: 'yes', read: 'yes', summarise: 'yes', train: 'no', store: 'session-only', attribution: 'required' },
	categories: { 'ad-network': { crawl: 'no' } },
	// Denials are measured, and not what comes after too many of them.
	rate: { refusals: 1_000_000_000 },
	honeypots: ['/api/export'],
	som: { endpoint: '/v1/som' },
});
