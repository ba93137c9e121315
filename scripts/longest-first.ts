import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take longest and keep a core busy, from the longest on: browsers, processes, pages that are read. */
const busy = [
	'scripts/docs/commands.test.ts',
	'packages/wayleave/src/shared/crawl-page.test.ts',
	'packages/wayleave/src/commands/gateway/studio-page.test.ts',
	'packages/wayleave/src/commands/gateway/site-view.test.ts',
	'packages/mcp/src/server/injection.test.ts',
	'packages/crawler/src/engine/hash-routes.test.ts',
	'packages/crawler/src/render/hostile.test.ts',
	'packages/service/src/public-pages/guide-pages.test.ts',
	'packages/crawler/src/render/render.test.ts',
	'packages/wayleave/src/e2e/checkout.test.ts',
	'packages/wayleave/src/e2e/bundle.test.ts',
	'packages/io/src/sql/other-nodes.test.ts',
	'packages/wayleave/src/e2e/without-sqlite.test.ts',
	'packages/crawler/src/inspect/store-view.test.ts',
	'packages/wayleave/src/commands/gateway/dashboard.test.ts',
	'packages/crawler/src/discover/honest-templates.test.ts',
	'packages/extract/src/floor.test.ts',
	'packages/extract/src/never-empty.test.ts',
	'apps/dashboard/src/ui/ui.test.ts',
	'packages/crawler/src/discover/learned.test.ts',
	'packages/protocols/src/robots/vectors.test.ts',
	'packages/gateway/src/report/page/page.test.ts',
];

/** Those that mostly wait for a clock, a database or a connection. */
const waiting = [
	'packages/crawler/src/engine/lost-connection.test.ts',
	'packages/crawler/src/engine/groups.test.ts',
	'packages/crawler/src/engine/late-store.test.ts',
	'packages/gateway/src/proxy/refused-connections.test.ts',
	'packages/crawler/src/store/upgrade/upgrade.test.ts',
	'packages/crawler/src/engine/fleet.test.ts',
	'packages/crawler/src/store/sql/store.test.ts',
	'packages/crawler/src/engine/hostile.test.ts',
	'packages/crawler/src/store/leases/leases.test.ts',
	'packages/service/src/server/several-processes.test.ts',
	'packages/crawler/src/engine/watch-cases.test.ts',
	'packages/gateway/src/proxy/flood.test.ts',
	'packages/crawler/src/store/contract/contract.test.ts',
	'packages/wayleave/src/e2e/hostile-policies.test.ts',
	'packages/crawler/src/engine/interrupt.test.ts',
	'packages/crawler/src/engine/fleet-scope.test.ts',
	'packages/wayleave/src/e2e/gateway.test.ts',
	'packages/gateway/src/site/site-robots.test.ts',
	'examples/library/crawl-docs.test.ts',
	'packages/crawler/src/engine/idle.test.ts',
];

/**
 * They begin first, so that at the end no worker is alone with one of them; by turns, so that the cores neither rest while
 * every worker waits nor are wanted by all workers at once. The rest follows in the order of vitest.
 */
const first = Array.from({ length: Math.max(busy.length, waiting.length) }, (_, at) => [busy[at], waiting[at]])
	.flat()
	.filter((name) => name !== undefined);

export default class LongestFirst extends BaseSequencer {
	/** @throws where a file has another name now */
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const gone = first.filter((name) => !existsSync(join(this.ctx.config.root, name)));
		if (gone.length > 0) throw new Error(`scripts/longest-first.ts names files that are not there: ${gone.join(', ')}`);
		const rank = ({ moduleId }: TestSpecification): number => {
			const at = first.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
			return at === -1 ? first.length : at;
		};
		return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
	}
}
