import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildDashboard } from '../../../../../apps/dashboard/build.ts';
import {
	appearances,
	expectAccessible,
	expectQuiet,
	launchBrowser,
	openView,
	settled,
} from '../../../../../apps/dashboard/src/testing/browser.ts';
import { readDashboardFiles } from '../../shared/dashboard-files.ts';
import { startStudio } from './testing/running-studio.ts';

it('blocks Bytespider over a ledger of a million requests, after it showed what that changes', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-dashboard-'));
	await buildDashboard(folder);
	const files = readDashboardFiles(folder);
	const studio = await startStudio({ files: files ?? new Map(), seeded: 1_000_000 });
	const browser = await launchBrowser();
	for (const appearance of appearances) {
		const page = await openView(browser, `${studio.url}studio`, appearance);
		await page.getByRole('group', { name: 'Access of Bytespider' }).getByRole('radio', { name: 'Block' }).click();
		await page.getByText('Bytespider: the whole site is now disallowed.').waitFor();
		await page.getByRole('link', { name: 'Last week' }).click();
		await page
			.getByText(/more denied/)
			.first()
			.waitFor({ timeout: 120_000 });
		expect(await page.locator('.studio-panel').textContent()).toMatch(/the first \d+ % of the requests of each hour/);
		await settled(page);
		await expectAccessible(page);
		expectQuiet(page);
		await page.close();
	}
	const page = await openView(browser, `${studio.url}studio`);
	await page.getByRole('group', { name: 'Access of Bytespider' }).getByRole('radio', { name: 'Block' }).click();
	await page.getByRole('button', { name: 'Publish …' }).click();
	await page.keyboard.type(studio.key);
	await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
	await page.getByText(/Published: policy version \S+ is active/).waitFor();
	expect(readFileSync(studio.path, 'utf8')).toContain('Bytespider');
	await browser.close();
	await studio.close();
}, 900_000);
