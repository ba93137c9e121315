import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ReadingPreset } from '@wayleave/protocols/url';
import express from 'express';

/** A real server that gives the files of a folder. */
export interface UpstreamServer {
	readonly name: string;
	readonly preset: ReadingPreset;
	/** Why it cannot run here; undefined where it can. */
	missing(): string | undefined;
	/** Starts it on a port of the loopback, with `folder` for its configuration. */
	start(port: number, root: string, folder: string): Promise<() => Promise<void>>;
}

export async function freePort(): Promise<number> {
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

const hasCommand = (name: string) => () =>
	spawnSync('sh', ['-c', `command -v ${name}`], { env: environment }).status === 0
		? undefined
		: `${name} is not installed`;
const environment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin` };

/** Starts a process and waits until it answers. */
async function run(command: string, args: readonly string[], port: number, more: NodeJS.ProcessEnv = {}) {
	const child = spawn(command, args, { env: { ...environment, ...more }, stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';
	child.stderr.on('data', (chunk) => {
		said = (said + String(chunk)).slice(-2000);
	});
	child.on('error', (error) => {
		said += error.message;
	});
	for (let tries = 0; !(await answers(port)); tries++) {
		if (child.exitCode !== null || tries > 600) throw new Error(`${command} does not start: ${said}`);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	return () => end(child);
}

function answers(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const request = http.get({ port, host: '127.0.0.1', path: '/public/page.html', agent: false }, (response) => {
			response.resume();
			resolve(response.statusCode === 200);
		});
		request.setTimeout(2000, () => request.destroy());
		request.on('error', () => resolve(false));
	});
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
	await ended;
	clearTimeout(force);
}

const nginx: UpstreamServer = {
	name: 'nginx',
	preset: 'nginx',
	missing: hasCommand('nginx'),
	async start(port, root, folder) {
		const file = join(folder, 'nginx.conf');
		const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
			.map((name) => `${name}_temp_path ${folder}/${name};`)
			.join(' ');
		writeFileSync(
			file,
			`daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${temporary} default_type text/html;
  server { listen 127.0.0.1:${port}; root ${root}; charset utf-8; } }\n`,
		);
		return await run('nginx', ['-e', join(folder, 'start.log'), '-p', folder, '-c', file], port);
	},
};

const modules = '/usr/lib/apache2/modules';
const apache: UpstreamServer = {
	name: 'Apache',
	preset: 'apache',
	missing: () => hasCommand('apache2')() ?? (existsSync(modules) ? undefined : 'the modules of apache2 are missing'),
	async start(port, root, folder) {
		const file = join(folder, 'apache.conf');
		// Encoded slashes are off by default: with them on it reads more.
		writeFileSync(
			file,
			`ServerRoot ${folder}\nServerName 127.0.0.1\nPidFile ${folder}/apache.pid\nErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule dir_module ${modules}/mod_dir.so
LoadModule mime_module ${modules}/mod_mime.so
TypesConfig /dev/null
AddType text/html .html
DocumentRoot ${root}
AllowEncodedSlashes On
<Directory ${root}>\n  Require all granted\n</Directory>\n`,
		);
		return await run('apache2', ['-X', '-f', file], port);
	},
};

const lighttpd: UpstreamServer = {
	name: 'lighttpd',
	preset: 'lighttpd',
	missing: hasCommand('lighttpd'),
	async start(port, root, folder) {
		const file = join(folder, 'lighttpd.conf');
		writeFileSync(
			file,
			`server.document-root = "${root}"\nserver.bind = "127.0.0.1"\nserver.port = ${port}
server.errorlog = "${folder}/error.log"\nmimetype.assign = ( ".html" => "text/html" )\n`,
		);
		return await run('lighttpd', ['-D', '-f', file], port);
	},
};

const catalina = '/usr/share/tomcat10';
const tomcat: UpstreamServer = {
	name: 'Tomcat',
	preset: 'tomcat',
	missing: () =>
		hasCommand('java')() ?? (existsSync(join(catalina, 'bin/bootstrap.jar')) ? undefined : 'tomcat10 is not installed'),
	async start(port, root, folder) {
		for (const name of ['conf', 'logs', 'temp', 'work', 'webapps']) mkdirSync(join(folder, name), { recursive: true });
		for (const name of ['web.xml', 'catalina.properties'])
			copyFileSync(join('/etc/tomcat10', name), join(folder, 'conf', name));
		// Backslashes and encoded slashes are refused by default: with them allowed it reads more.
		writeFileSync(
			join(folder, 'conf/server.xml'),
			`<Server port="-1" shutdown="SHUTDOWN"><Service name="Catalina">
<Connector port="${port}" address="127.0.0.1" protocol="HTTP/1.1" encodedSolidusHandling="decode" allowBackslash="true" relaxedPathChars='[]|{}^\`"&lt;&gt;\\'/>
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps" autoDeploy="false" deployOnStartup="false">
<Context path="" docBase="${root}"/></Host></Engine></Service></Server>\n`,
		);
		const classes = ['bin/bootstrap.jar', 'bin/tomcat-juli.jar'].map((name) => join(catalina, name));
		if (existsSync('/usr/share/java/tomcat10-juli.jar')) classes.push('/usr/share/java/tomcat10-juli.jar');
		const args = [
			'-Xmx256m',
			'-XX:TieredStopAtLevel=1',
			'-classpath',
			classes.join(':'),
			`-Dcatalina.home=${catalina}`,
			`-Dcatalina.base=${folder}`,
			`-Djava.io.tmpdir=${folder}/temp`,
			'org.apache.catalina.startup.Bootstrap',
			'start',
		];
		return await run('java', args, port);
	},
};

const php: UpstreamServer = {
	name: 'PHP',
	preset: 'php',
	missing: hasCommand('php'),
	start: async (port, root) => await run('php', ['-S', `127.0.0.1:${port}`, '-t', root], port),
};

const python: UpstreamServer = {
	name: 'Python',
	preset: 'python',
	missing: hasCommand('python3'),
	start: async (port, root) =>
		await run('python3', ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', root, String(port)], port),
};

/** Routes and files: a router folds letter case, `express.static` decodes and normalises. */
const expressServer: UpstreamServer = {
	name: 'Express',
	preset: 'express',
	missing: () => undefined,
	async start(port, root) {
		const app = express();
		app.get('/private/x.html', (_request, response) => response.sendFile(join(root, 'private/x.html')));
		app.use(express.static(root));
		const server = http.createServer(app);
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		return async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		};
	},
};

export const servers: readonly UpstreamServer[] = [nginx, apache, lighttpd, tomcat, php, python, expressServer];

/** What the withheld page says, and nothing else does. */
export const secret = 'the-withheld-minutes';

const page = (title: string, text: string) =>
	`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><article>
<h1>${title}</h1><p>${text} is said here in a sentence that is long enough to be read as the content of a page.</p>
<p>A second paragraph follows, so that nobody takes this for a menu or a notice at the foot of a page.</p>
</article></main></body></html>\n`;

/** Honest addresses, beside the file that each names. */
export const honest: readonly (readonly [target: string, file: string])[] = [
	['/public/page.html', 'public/page.html'],
	['/public/page.html?q=a%2Fb&next=/private/x.html', 'public/page.html'],
	['/public/page.html?path=..%2Fprivate%2Fx.html', 'public/page.html'],
	['/public/page.html?a;b=%3B', 'public/page.html'],
	['/public/two%20words.html', 'public/two words.html'],
	['/public/caf%C3%A9.html', 'public/café.html'],
	['/public/%E6%97%A5%E6%9C%AC.html', 'public/日本.html'],
	['/public/a+b.html', 'public/a+b.html'],
	['/public/a,b(c)!.html', 'public/a,b(c)!.html'],
	['/public/@ann.html', 'public/@ann.html'],
	['/public/100%25.html', 'public/100%.html'],
	['/public/v1.2..3.html', 'public/v1.2..3.html'],
	['/public/.hidden.html', 'public/.hidden.html'],
	['/public/private/x.html', 'public/private/x.html'],
	['/privat/x.html', 'privat/x.html'],
];

/** Writes the files of the site. */
export function writeSite(root: string): void {
	const write = (name: string, title: string, text: string) => {
		mkdirSync(join(root, name, '..'), { recursive: true });
		writeFileSync(join(root, name), page(title, text));
	};
	write('index.html', 'Home', 'The front page');
	write('private/x.html', 'Minutes', secret);
	// `/private/.` and `/private/%20` stand for it on servers that look for the index of a folder.
	write('private/index.html', 'Index', secret);
	write('exact/y.html', 'Exact', secret);
	for (const [, file] of honest) write(file, file, `The text of ${file}`);
	chmodSync(root, 0o755);
}
