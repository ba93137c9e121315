import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take longest, from the longest on: minutes in which they wait for a clock, processes or a browser. They
 * begin first, so that at the end no worker is alone with one of them. The rest follows in the order of vitest.
 */
const longest = [
	'scripts/docs/commands.test.ts',
	'packages/io/src/sql/other-nodes.test.ts',
	'packages/crawler/src/engine/lost-connection.test.ts',
	'packages/crawler/src/engine/groups.test.ts',
	'packages/wayleave/src/shared/crawl-page.test.ts',
	'packages/wayleave/src/commands/gateway/site-view.test.ts',
	'packages/crawler/src/render/hostile.test.ts',
	'packages/crawler/src/engine/hash-routes.test.ts',
	'packages/crawler/src/store/contract/contract.test.ts',
	'packages/gateway/src/proxy/refused-connections.test.ts',
	'packages/crawler/src/render/render.test.ts',
	'packages/wayleave/src/commands/gateway/studio-page.test.ts',
	'packages/wayleave/src/e2e/without-sqlite.test.ts',
	'packages/wayleave/src/e2e/checkout.test.ts',
	'packages/crawler/src/inspect/store-view.test.ts',
	'packages/crawler/src/engine/fleet.test.ts',
	'packages/service/src/public-pages/guide-pages.test.ts',
	'packages/crawler/src/store/upgrade/upgrade.test.ts',
	'packages/extract/src/floor.test.ts',
	'packages/extract/src/never-empty.test.ts',
	'apps/dashboard/src/ui/ui.test.ts',
	'packages/crawler/src/discover/honest-templates.test.ts',
	'packages/mcp/src/server/injection.test.ts',
	'packages/crawler/src/engine/late-store.test.ts',
	'packages/crawler/src/change/headline.test.ts',
	'packages/crawler/src/warc/write/kill.test.ts',
	'packages/crawler/src/engine/kill-fleet.test.ts',
	'packages/gateway/src/proxy/flood.test.ts',
];

export default class LongestFirst extends BaseSequencer {
	/** @throws where a file has another name now */
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const gone = longest.filter((name) => !existsSync(join(this.ctx.config.root, name)));
		if (gone.length > 0) throw new Error(`scripts/longest-first.ts names files that are not there: ${gone.join(', ')}`);
		const rank = ({ moduleId }: TestSpecification): number => {
			const at = longest.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
			return at === -1 ? longest.length : at;
		};
		return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
	}
}
