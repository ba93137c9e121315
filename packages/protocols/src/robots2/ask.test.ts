import { describe, expect, it } from 'vitest';
import { IdentityError } from '../identity/index.ts';
import { answerAllows, buildAskRequest, matchScope, readAskResponse } from './index.ts';

const read = (headers: Record<string, string | string[]>, status = 200) => readAskResponse({ status, headers });

describe('buildAskRequest', () => {
	it('R2-41 R2-42 is a HEAD to the endpoint with directive, agent and identity', () => {
		const identity = { name: 'Gemini', version: '1.0', category: 'ai-assistant' };
		expect(buildAskRequest('https://a.test:8443/deep/page?x#y', 'summarise', identity)).toEqual({
			method: 'HEAD',
			url: 'https://a.test:8443/.well-known/robots2-ask?directive=summarise&agent=Gemini/1.0',
			headers: { 'X-Agent-Identity': 'Gemini/1.0 (ai-assistant)', 'Cache-Control': 'no-cache' },
		});
	});
	it('R2-41 AMB-58 percent-encodes name and version', () => {
		const { url } = buildAskRequest('https://a.test/', 'train', { name: 'a&b+c', version: '1#2', category: 'x' });
		expect(url).toBe('https://a.test/.well-known/robots2-ask?directive=train&agent=a%26b%2Bc/1%232');
		expect(new URL(url).searchParams.get('agent')).toBe('a&b+c/1#2');
	});
	it('sends no identity that could break a header', () => {
		const identity = { name: 'a\r\nb', version: '1', category: 'x' };
		expect(() => buildAskRequest('https://a.test/', 'train', identity)).toThrow(IdentityError);
	});
});

describe('readAskResponse', () => {
	it('R2-43 R2-50 reads the three decisions', () => {
		expect(read({ 'X-Robots2-Decision': 'allow' })).toEqual({ decision: 'allow', scopes: [], maxAge: 86_400 });
		expect(read({ 'x-robots2-decision': ' Allow-Once ' })).toEqual({ decision: 'allow-once', scopes: [], maxAge: 0 });
		expect(read({ 'X-ROBOTS2-DECISION': 'deny' })).toEqual({ decision: 'deny', why: 'denied', maxAge: 3600 });
	});
	it.each([
		['404', 404, {}, 'no-endpoint'],
		['405', 405, {}, 'no-endpoint'],
		['a decision with another status', 403, { 'X-Robots2-Decision': 'allow' }, 'unparseable'],
		['a redirect', 302, { 'X-Robots2-Decision': 'allow' }, 'unparseable'],
		['500', 500, { 'X-Robots2-Decision': 'allow' }, 'unparseable'],
		['204', 204, { 'X-Robots2-Decision': 'allow' }, 'unparseable'],
		['no header', 200, {}, 'unparseable'],
		['an unknown decision', 200, { 'X-Robots2-Decision': 'maybe' }, 'unparseable'],
		['two decisions', 200, { 'X-Robots2-Decision': ['allow', 'deny'] }, 'unparseable'],
		['two decisions joined', 200, { 'X-Robots2-Decision': 'allow, allow-once' }, 'unparseable'],
	])('R2-44 R2-52 AMB-59 refuses on %s', (_, status, headers, why) => {
		expect(read(headers as Record<string, string>, status)).toMatchObject({ decision: 'deny', why });
	});
	it('the same decision twice is one', () => {
		expect(read({ 'X-Robots2-Decision': ['allow', 'allow'] })).toMatchObject({ decision: 'allow' });
	});
	it('R2-45 AMB-59 429 and 503 mean later', () => {
		const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
		expect(read({ 'Retry-After': '5' }, 429)).toEqual({ decision: 'later', retryAfter: '5', maxAge: 0 });
		expect(read({ 'Retry-After': date }, 503)).toEqual({ decision: 'later', retryAfter: date, maxAge: 0 });
		expect(read({}, 429)).toEqual({ decision: 'later', maxAge: 0 });
	});
	it('R2-47 AMB-57 a shorter max-age shortens the 24 hours, a longer one does not lengthen them', () => {
		const age = (control: string, more = {}) =>
			read({ 'X-Robots2-Decision': 'allow', 'Cache-Control': control, ...more }).maxAge;
		expect(age('public, max-age=600')).toBe(600);
		expect(age('max-age=600', { Age: '100' })).toBe(500);
		expect(age('max-age=999999')).toBe(86_400);
		expect(age('no-store')).toBe(0);
	});
	it('R2-48 AMB-57 allow-once is never kept, whatever the header says', () => {
		expect(read({ 'X-Robots2-Decision': 'allow-once', 'Cache-Control': 'public, max-age=86400' }).maxAge).toBe(0);
	});
	it('AMB-55 a refusal is kept for an hour at most', () => {
		expect(read({ 'X-Robots2-Decision': 'deny', 'Cache-Control': 'max-age=86400' }).maxAge).toBe(3600);
		expect(read({ 'X-Robots2-Decision': 'deny', 'Cache-Control': 'max-age=60' }).maxAge).toBe(60);
		expect(read({ 'X-Robots2-Decision': 'deny', 'Cache-Control': 'no-store' }).maxAge).toBe(3600);
	});
	it('R2-49 AMB-60 reads repeated scopes and scopes joined by commas, from any kind of headers', () => {
		const expected = { scopes: ['/blog/*', '/docs/public/*'] };
		const pairs: [string, string][] = [
			['X-Robots2-Decision', 'allow'],
			['X-Robots2-Scope', '/blog/*'],
			['X-Robots2-Scope', '/docs/public/*'],
		];
		expect(readAskResponse({ status: 200, headers: pairs })).toMatchObject(expected);
		expect(readAskResponse({ status: 200, headers: new Headers(pairs) })).toMatchObject(expected);
		expect(read({ 'X-Robots2-Decision': 'allow', 'X-Robots2-Scope': '/blog/* , /docs/public/*' })).toMatchObject(
			expected,
		);
	});
});

describe('scopes', () => {
	it.each([
		['/blog/*', '/blog/post', true],
		['/blog/*', '/blog/2026/post', true],
		['/blog/*', '/blog/post?a=b', true],
		['/blog/*', '/blog', false],
		['/blog/*', '/blog/', false],
		['/blog/*', '/blogroll', false],
		['/blog/*', '/docs/post', false],
		['/blog/', '/blog/', true],
		['/blog/', '/blog/x', false],
		['/*/public/*', '/docs/public/a/b', true],
		['/*/public/*', '/public/a', false],
		['/*/public/*', '//public/a', false],
		['/*/x', '/a/b/x', false],
		['/post-*', '/post-1', true],
		['/post-*', '/post-', false],
		['/post-*', '/post-1/x', false],
		['/*-*-*.html', '/a-b-c.html', true],
		['/*-*-*.html', '/a-b.html', false],
		['/a*a', '/aa', false],
		['/a*a', '/aba', true],
		['/*', '/', false],
		['/*', '/a', true],
		['/', '/', true],
		['/a%2Cb/*', '/a,b/c', true],
		['/caf%C3%A9/*', '/café/x', true],
		['/a/*', '/a%2Fb', false],
		['/a/*', '/a/../b', false],
		['*', '/a', false],
		['blog/*', '/blog/a', false],
		['', '/', false],
		['/%zz/*', '/%zz/a', true],
	])('R2-51 AMB-53 %s on %s: %s', (scope, path, expected) => {
		expect(matchScope(scope, `https://a.test${path}`)).toBe(expected);
	});
	it('R2-50 R2-51 an answer holds in its scopes, and without any everywhere', () => {
		const url = 'https://a.test/docs/x';
		expect(answerAllows(read({ 'X-Robots2-Decision': 'allow' }), url)).toBe(true);
		expect(answerAllows(read({ 'X-Robots2-Decision': 'allow', 'X-Robots2-Scope': '/blog/*' }), url)).toBe(false);
		expect(answerAllows(read({ 'X-Robots2-Decision': 'deny' }), url)).toBe(false);
		expect(answerAllows(read({}, 429), url)).toBe(false);
	});
});
