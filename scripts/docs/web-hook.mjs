// Loaded into every process that runs a command of the documentation: all names of the web lead to servers of the test
// on the loopback, and well-known ports are exchanged for free ones. Nothing leaves the machine.
import { promises as dns } from 'node:dns';
import net from 'node:net';

/** @type {{ ports: Record<string, number>, listen: Record<string, number> }} */
const web = JSON.parse(process.env.WAYLEAVE_DOCS_WEB ?? '{"ports":{},"listen":{}}');

// A public address, so that the address checks pass; no connection is made to it.
const anywhere = '93.184.215.14';
const missing = (name) => Promise.reject(Object.assign(new Error(`no such record: ${name}`), { code: 'ENODATA' }));
Object.assign(dns.Resolver.prototype, {
	resolve4: async () => [anywhere],
	resolve6: missing,
	resolveTxt: missing,
	resolvePtr: missing,
});

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...parameters) {
	// Node hands over its arguments as one array, [options, callback].
	const options = Array.isArray(parameters[0]) ? parameters[0][0] : parameters[0];
	if (typeof options === 'number') {
		parameters[0] = { port: options, host: parameters[1] };
		return this.connect(...parameters.filter((each, at) => at !== 1 || typeof each === 'function'));
	}
	if (options?.port !== undefined && options.path === undefined) {
		const host = options.host ?? 'localhost';
		const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
		options.port = web.ports[options.port] ?? (isLoopback ? options.port : 1);
		options.host = '127.0.0.1';
	}
	return connect.apply(this, parameters);
};

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...parameters) {
	const [first] = parameters;
	const isOptions = typeof first === 'object' && first !== null;
	const port = isOptions ? first.port : first;
	if (port in web.listen) {
		parameters[0] = isOptions ? { ...first, port: web.listen[port] } : web.listen[port];
		// A server that compares `Host` with its own port sees the port that the reader typed.
		this.prependListener('connection', (socket) => Object.defineProperty(socket, 'localPort', { value: Number(port) }));
	}
	return listen.apply(this, parameters);
};
