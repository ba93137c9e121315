import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

// What strangers and their tools look for in a repository.

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const { scripts, engines, repository } = JSON.parse(read('package.json')) as {
	scripts: Record<string, string>;
	engines: { node: string };
	repository: { url: string };
};

describe('the repository', () => {
	it.each(['LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md', '.editorconfig'])(
		'has %s',
		(name) => expect(read(name).length).toBeGreaterThan(200),
	);

	it('names the oldest Node that the packages promise', () => {
		expect(engines.node).toMatch(new RegExp(`^>=${read('.nvmrc').trim()}\\.`));
	});

	it('has one address everywhere', () => {
		const address = repository.url.replace(/^git\+|\.git$/g, '');
		for (const name of ['SECURITY.md', 'CODE_OF_CONDUCT.md', '.github/ISSUE_TEMPLATE/config.yml'])
			expect(read(name), name).toContain(`${address}/security/advisories/new`);
	});

	it('has issue forms with a name, a description and questions', () => {
		const folder = '.github/ISSUE_TEMPLATE';
		const forms = readdirSync(join(root, folder)).filter((name) => name !== 'config.yml');
		expect(forms.length).toBeGreaterThan(1);
		for (const name of forms) {
			const form = parse(read(`${folder}/${name}`)) as { body: { type: string; id?: string }[] };
			expect(form, name).toMatchObject({ name: expect.any(String), description: expect.any(String) });
			const questions = form.body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
			expect(new Set(questions).size, name).toBe(questions.length);
		}
	});
});

describe('the workflow', () => {
	const { jobs } = parse(read('.github/workflows/ci.yml')) as {
		jobs: Record<
			string,
			{ steps: { run?: string }[]; strategy?: { matrix: { os: readonly string[]; node: readonly number[] } } }
		>;
	};

	it('runs on three versions of Node and three systems', () => {
		expect(jobs.test?.strategy?.matrix).toEqual({
			os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
			node: [20, 22, 24],
		});
	});

	it('runs scripts that exist', () => {
		const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
		expect(commands).toContain('.ci/run');
		for (const command of commands) {
			const [, name] = /^npm (?:run )?(\S+)$/.exec(command) ?? [];
			if (name !== undefined && name !== 'ci') expect(scripts, command).toHaveProperty([name]);
		}
	});

	it('U2-05: nothing that it, the tests or the build run reaches out of the checkout', () => {
		const names = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts') && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
			.map((name) => `packages/${name}`);
		// `../shared/…` in an import is a folder of the package: the compiler resolves it.
		const withoutImports = (text: string) => text.replaceAll(/(?:\bfrom |\bimport\(?\s*)'[^']*'/g, '');
		const outside = names.filter((name) => /\.\.\/shared\//.test(withoutImports(read(name))));
		expect(outside).toEqual([]);
		expect(existsSync(join(root, '.ci/run'))).toBe(true);
	});
});
