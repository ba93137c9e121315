import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, subpaths } from '../scripts/bundle.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const parts = subpaths().filter(({ source }) => existsSync(source));

describe('the protocols need no Node', () => {
	it('every subpath is bundled with platform neutral: no import of a Node module', async () => {
		expect(parts.map(({ name }) => name)).toContain('robots');
		for (const part of parts) expect((await bundle([part])).length).toBeGreaterThan(0);
	});
});

describe.skipIf(!existsSync(executablePath))(`in Chromium (skipped where ${executablePath} is missing)`, () => {
	let browser: Awaited<ReturnType<typeof chromium.launch>>;
	let page: Awaited<ReturnType<typeof browser.newPage>>;

	beforeAll(async () => {
		browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
		page = await browser.newPage();
		await page.addScriptTag({ content: await bundle(parts, { globalName: 'protocols' }) });
	}, 60_000);

	afterAll(async () => {
		await browser?.close();
	});

	it('every subpath loads with what it exports', async () => {
		const inBrowser = await page.evaluate(() =>
			Object.entries((globalThis as unknown as { protocols: Record<string, object> }).protocols).map(
				([name, exported]): [string, string[]] => [name, Object.keys(exported).sort()],
			),
		);
		const here = await Promise.all(
			parts.map(
				async ({ name, source }): Promise<[string, string[]]> => [
					// As `bundle` names it.
					name.replace(/\W/g, '_'),
					Object.keys((await import(/* @vite-ignore */ source)) as object).sort(),
				],
			),
		);
		expect(inBrowser.sort()).toEqual(here.sort());
	});

	it('robots.txt is read from bytes and answered as here', async () => {
		const answers = await page.evaluate(() => {
			const { parseRobots, prepareRobots, formatRobots } = (
				globalThis as unknown as { protocols: { robots: typeof import('./robots/index.ts') } }
			).protocols.robots;
			const bytes = new TextEncoder().encode('\ufeffUser-agent: *\nDisallow: /caf\u00e9\nAllow: /*.css$\nDisallow: /');
			const { value } = parseRobots(bytes);
			const prepared = prepareRobots(value, 'ExampleBot');
			const urls = ['/caf%C3%A9', '/x/a.css', '/x', '/robots.txt'];
			return { allowed: urls.map((url) => prepared.match(url).allowed), text: formatRobots(value) };
		});
		expect(answers).toEqual({
			allowed: [false, true, false, true],
			text: 'User-agent: *\nDisallow: /café\nAllow: /*.css$\nDisallow: /\n',
		});
	});
});
