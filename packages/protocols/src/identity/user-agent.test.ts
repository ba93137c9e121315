import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentIndex } from './agent-index.ts';
import { buildAgentIdentity, buildUserAgent, parseAgentIdentity, parseUserAgent } from './index.ts';

const bot = { botUrl: 'https://example.com/bot', botName: 'Wayleave' };

describe('User-Agent, AIWebIndex 2.0 §3', () => {
	it('begins with AIWebIndex/2.0 and names the page and the implementation', () => {
		expect(buildUserAgent(bot)).toBe('AIWebIndex/2.0 (+https://example.com/bot; Wayleave)');
	});

	it('an ownership check says so', () => {
		expect(buildUserAgent({ ...bot, verification: true })).toBe(
			'AIWebIndex/2.0 verification (+https://example.com/bot)',
		);
	});

	it('AWI-06 a reader tells ownership checks from crawls, wherever the word stands', () => {
		expect(parseUserAgent('AIWebIndex/2.0 verification (+https://example.com/bot)')).toEqual({
			version: '2.0',
			verification: true,
			botUrl: 'https://example.com/bot',
		});
		expect(parseUserAgent('AIWebIndex/2.0 (+https://example.com/bot; X) verification')?.verification).toBe(true);
		expect(parseUserAgent('AIWebIndex/2.0 (+https://example.com/verification; X)')?.verification).toBe(false);
	});

	it('another product is not this protocol', () => {
		for (const value of ['', 'Mozilla/5.0', 'AIWebIndex', 'AIWebIndex/2.0x', 'xAIWebIndex/2.0', 'aiwebindex/2.0']) {
			expect(parseUserAgent(value), value).toBeUndefined();
		}
	});

	it('reads a bare product and a comment without end', () => {
		expect(parseUserAgent('AIWebIndex/2.0')).toEqual({ version: '2.0', verification: false });
		expect(parseUserAgent('AIWebIndex/2.0 (+https://x')).toEqual({ version: '2.0', verification: false });
	});

	it('refuses what would break the header', () => {
		const code = (parts: object) => {
			try {
				return buildUserAgent({ ...bot, ...parts });
			} catch (error) {
				return (error as { code: string }).code;
			}
		};
		expect(code({ botName: 'a\r\nHost: x' })).toBe('invalid-name');
		expect(code({ botName: 'Mozilla (' })).toBe('invalid-name');
		expect(code({ botName: '' })).toBe('invalid-name');
		expect(code({ botUrl: '/bot' })).toBe('invalid-url');
		expect(code({ botUrl: 'mailto:a@example.com' })).toBe('invalid-url');
		for (const mailbox of ['', 'me', 'a@b@c', 'a b@example.com'])
			expect(() => buildUserAgent({ mailbox, botName: 'X' }), mailbox).toThrow('invalid-url');
		expect(buildUserAgent({ mailbox: 'a)b@example.com', botName: 'X' })).toBe(
			'AIWebIndex/2.0 (+mailto:a%29b@example.com; X)',
		);
		expect(code({ botUrl: 'https://example.com/a)b;c(d' })).toBe(
			'AIWebIndex/2.0 (+https://example.com/a%29b%3Bc%28d; Wayleave)',
		);
	});

	it('reads back what it builds, and throws for no value', () => {
		const names = fc.stringMatching(/^[A-Za-z][\w.-]{0,20}$/);
		fc.assert(
			fc.property(fc.webUrl({ withQueryParameters: true }), names, fc.boolean(), (botUrl, botName, verification) => {
				const read = parseUserAgent(buildUserAgent({ botUrl, botName, verification }));
				expect(read?.verification).toBe(verification || botName.toLowerCase() === 'verification');
				expect(read?.botName).toBe(verification ? undefined : botName);
				expect(new URL(read?.botUrl ?? '').host).toBe(new URL(botUrl).host);
			}),
		);
		fc.assert(fc.property(fc.string(), (value) => void parseUserAgent(`AIWebIndex/2.0${value}`)));
	});
});

describe('X-Agent-Identity, robots2.txt 0.2.1', () => {
	it('R2-38 is name/version (category)', () => {
		expect(buildAgentIdentity({ name: 'Wayleave', version: '0.1.0', category: 'ai-assistant' })).toBe(
			'Wayleave/0.1.0 (ai-assistant)',
		);
	});

	it('is read with and without version and category, several roles included', () => {
		expect(parseAgentIdentity('ClaudeBot/2.0 (ai-assistant)')).toEqual({
			name: 'ClaudeBot',
			version: '2.0',
			categories: ['ai-assistant'],
		});
		expect(parseAgentIdentity('X')).toEqual({ name: 'X', categories: [] });
		expect(parseAgentIdentity('X/1 (AI-Assistant, monitoring')?.categories).toEqual(['ai-assistant', 'monitoring']);
		expect(parseAgentIdentity('  ')).toBeUndefined();
		expect(parseAgentIdentity('/1.0')).toBeUndefined();
	});

	it('refuses what would break the header', () => {
		const parts = { name: 'X', version: '1', category: 'ai-assistant' };
		for (const bad of [{ name: 'a/b' }, { version: '1 2' }, { category: 'a)' }, { name: 'é' }]) {
			expect(() => buildAgentIdentity({ ...parts, ...bad })).toThrow(/^invalid-/);
		}
	});

	it('no value throws', () => {
		fc.assert(fc.property(fc.string(), (value) => void parseAgentIdentity(value)));
	});
});

it('G2-34: finds a name with letters outside ASCII in a field of UTF-8 bytes and in one of Latin-1', () => {
	const index = new AgentIndex([{ token: 'Größe' }, { token: '探索' }]);
	const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
	const named = (field: string) => index.findIn(field).map(({ agent }) => agent.token);
	expect(named('Größe/1')).toEqual(['Größe']);
	expect(named(bytes('Größe/1'))).toEqual(['Größe']);
	expect(named(bytes('Mozilla/5.0 (compatible; 探索/2)'))).toEqual(['探索']);
	expect(named(`${bytes('Größe/1')} \xe9`)).toEqual([]);
});
