// Adds a fixture, or renews what is expected of one, after you have read what comes out:
//   npx tsx --conditions=wayleave-source packages/extract/scripts/add-fixture.ts NAME [PAGE.html]
//   npx tsx --conditions=wayleave-source packages/extract/scripts/add-fixture.ts --all
// With PAGE.html the page is copied to fixtures/NAME/source.html; without it that file must be there.
import { readFileSync } from 'node:fs';
import { blessFixture, readFixtures } from '../src/testing/fixtures.ts';

const [name, page] = process.argv.slice(2);
if (name === undefined) {
	console.error('usage: add-fixture NAME [PAGE.html] | --all');
	process.exitCode = 2;
} else if (name === '--all') {
	for (const fixture of readFixtures()) blessFixture(fixture.name, fixture.html);
} else {
	const html =
		page === undefined ? readFixtures().find((fixture) => fixture.name === name)?.html : readFileSync(page, 'utf8');
	if (html === undefined) throw new Error(`fixtures/${name}/source.html is missing`);
	blessFixture(name, html);
}
