import { expect } from 'vitest';
import { app, paragraphs, renderFrom, show } from './rendered.ts';

/** Ways in which a page makes request number `at`. */
export const requestsOfPages = {
	fetch: `fetch('/data/' + at).catch(() => {})`,
	XMLHttpRequest: `{ const call = new XMLHttpRequest(); call.open('GET', '/data/' + at); call.send(); }`,
	image: `new Image().src = '/data/' + at`,
} as const;

/** Fails where more requests of a page go out than may, or where they keep it from being rendered. */
export async function expectLimited(count: number, kind: keyof typeof requestsOfPages): Promise<void> {
	const flood = `for (let at = 0; at < ${count}; at++) ${requestsOfPages[kind]};`;
	const { result, mode, asked } = await renderFrom(
		({ path }) =>
			path === '/' ? app(show(`<main>${paragraphs}</main>`) + flood) : path.startsWith('/data/') ? '1' : undefined,
		{ renderLimits: { requests: 20, time: 10_000 } },
	);
	expect(result.outcome).toBe('fetched');
	expect(mode).toBe('rendered');
	expect(asked.length).toBeLessThanOrEqual(1 + 20);
}
