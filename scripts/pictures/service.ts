// Draws docs/pictures/service-*.png: the pages of `wayleave serve` in Chromium, at three widths, light and dark.
// With a folder it draws all pages there, whole.
// Usage: tsx --conditions=wayleave-source scripts/pictures/service.ts [FOLDER]
import { join } from 'node:path';
import { launchBrowser } from '../../apps/dashboard/src/testing/browser.ts';
import { startService } from '../../packages/service/src/testing/start-service.ts';

const isWhole = process.argv[2] !== undefined;
const folder = process.argv[2] ?? join(import.meta.dirname, '../../docs/pictures');
const service = await startService({
	open: false,
	contact: 'index@harbour.example',
	operator: 'Harbour Index',
	publicUrl: 'https://index.harbour.example',
});
const browser = await launchBrowser();
const token = '0123456789abcdef0123456789abcdef01234567';
const pages: Readonly<Record<string, string>> = {
	start: '/',
	domains: `/domains?domain=harbour.example&token=${token}#records`,
	reference: '/reference#getDocument',
	documents: '/documents',
	keys: '/keys',
	health: '/health',
	...(isWhole && {
		bot: '/bot',
		register: '/register',
		missing: '/documnets',
	}),
};
for (const [name, path] of Object.entries(pages)) {
	for (const width of [390, 1280, 1920]) {
		for (const colorScheme of ['light', 'dark'] as const) {
			const page = await browser.newPage({ viewport: { width, height: 1000 }, colorScheme });
			await page.goto(service.url + path);
			const isLong = isWhole && name !== 'reference';
			await page.screenshot({ path: join(folder, `service-${name}-${width}-${colorScheme}.png`), fullPage: isLong });
			await page.close();
		}
	}
}
await browser.close();
await service.close();
console.log(`wrote ${folder}/service-*.png`);
