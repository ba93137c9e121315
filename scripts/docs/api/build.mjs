// Writes the API reference of all packages to dist/api: npm run docs:api
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The source file of every subpath that a package exports to programs. */
const entryPoints = readdirSync(`${root}packages`).flatMap((name) => {
	const { exports = {} } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'));
	return Object.values(exports)
		.map((target) => target['wayleave-source'])
		.filter((source) => source?.endsWith('.ts') && !source.includes('/testing/'))
		.map((source) => `${root}packages/${name}/${source.slice(2)}`);
});

const app = await Application.bootstrap({
	name: 'Wayleave',
	entryPoints,
	tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
	out: `${root}dist/api`,
	readme: `${root}docs/glossary.md`,
	excludeInternal: true,
	excludeExternals: true,
	disableSources: true,
	treatWarningsAsErrors: true,
	// Types that a signature uses without exporting them are shown by name only.
	validation: { notExported: false, invalidLink: true, invalidPath: false },
});
const project = await app.convert();
if (project !== undefined) {
	app.validate(project);
	if (!app.logger.hasErrors() && !app.logger.hasWarnings()) await app.generateOutputs(project);
}
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() || project === undefined ? 1 : 0;
