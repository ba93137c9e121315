import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { commands } from '../command-list.ts';

// What the code weighs shows in the time that `--help` takes; the modules can be counted.

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The modules loaded for the help and the wrong usage of each command that those before have not loaded. */
let loaded: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
	const argv = ['--conditions=wayleave-source', '--import', import.meta.resolve('tsx'), at('../testing/tell-loads.ts')];
	const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 2 ** 24 });
	const parts = stdout.split(/^= (.*)\n/m).slice(1);
	loaded = new Map(commandsAndWork().map((name) => [name, (parts[parts.indexOf(name) + 1] ?? '').split('\n')]));
});

const workOfCrawl = 'the work of crawl';
const commandsAndWork = () => [...commands.map(({ name }) => name), workOfCrawl];

it.each(commands.map(({ name }) => name))(
	'help and wrong options of %s load little, and nothing that works',
	(name) => {
		const modules = loaded.get(name)!;
		expect(modules).toContainEqual(expect.stringMatching(`/commands/${name}/command.ts`));
		// The table of output formats is a list for help: it loads a writer only when it opens one.
		const working =
			/\/commands\/[^/]+\/run\.ts|\/packages\/(?:crawler\/(?!src\/output-formats\.ts)|extract\/|gateway\/)/;
		expect(modules.filter((url) => working.test(url))).toEqual([]);
		expect(modules.length).toBeLessThan(29);
	},
);

it('a crawl loads no module of the gateway or the service, and no MCP SDK', () => {
	const modules = loaded.get(workOfCrawl)!;
	expect(modules).toContainEqual(expect.stringMatching('/packages/crawler/'));
	const others =
		/\/packages\/gateway\/|\/wayleave\/src\/(?:commands\/gateway|server|mcp)\/|\/node_modules\/(?:hono|@hono|@modelcontextprotocol)\//;
	expect(modules.filter((url) => others.test(url))).toEqual([]);
});
