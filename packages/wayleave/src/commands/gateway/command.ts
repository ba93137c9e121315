import { Command } from 'commander';
import { withServerProxy } from '../../shared/options/agent.ts';
import { withAllowHost } from '../../shared/options/allow-host.ts';
import { usualDashboard, usualGrace } from '../../shared/options/defaults.ts';
import { list, seconds, wholeNumber } from '../../shared/options/numbers.ts';
import type { CommandFactory } from '../../terminal/command.ts';
import type { GatewayFlags } from './flags.ts';

const work = () => import('./run.ts');

export const gatewayCommand: CommandFactory = (terminal, done) =>
	withAllowHost(withServerProxy(new Command('gateway')), 'the dashboard and the metrics')
		.requiredOption('--upstream <URL>', 'the site, such as http://127.0.0.1:3000')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option('--origin <URL>', 'the public origin of the site (default: from the policy file)')
		.option('--listen <ADDRESS:PORT>', 'address to listen on', '127.0.0.1:8080')
		.option('--observe', 'neither deny nor slow down clients; only record the decisions')
		.option('--tls-cert <FILE>', 'certificate chain (PEM), to serve TLS')
		.option('--tls-key <FILE>', 'its key, PEM')
		.option('--metrics <ADDRESS:PORT>', 'serve /metrics for Prometheus, /readyz and /healthz')
		.option('--dashboard <ADDRESS:PORT>', `address of the dashboard (default: ${usualDashboard}, where that is free)`)
		.option(
			'--dashboard-key <FILE>',
			'key for callers from other machines (default: $WAYLEAVE_DASHBOARD_KEY; without, none)',
		)
		.option('--no-dashboard', 'do not serve the dashboard')
		.option(
			'--studio-key <FILE>',
			'file with the key for publishing in the policy studio (default: .wayleave/studio.key, created at the first start)',
		)
		.option(
			'--grace <SECONDS>',
			`how long requests in flight may take when stopping (default ${usualGrace / 1000})`,
			seconds,
		)
		.option('--max-connections <N>', 'most client connections at once (default 10000)', wholeNumber(1))
		.option('--header-timeout <SECONDS>', 'time limit for a request head and a TLS handshake (default 30)', seconds)
		.option(
			'--request-timeout <SECONDS>',
			'time limit for a request with its body, plus 1 s per kilobyte (default 300)',
			seconds,
		)
		.option('--idle-timeout <SECONDS>', 'time limit without traffic, also for WebSockets (default 300)', seconds)
		.option(
			'--resolver <ADDRESS>',
			'DNS servers to ask for the names of addresses (repeatable; default: those of the system)',
			list,
		)
		.option('--json', 'print each request of an agent as a line of JSON to stdout')
		.addHelpText('after', examples)
		.action(async (flags: GatewayFlags) => done(await (await work()).runGateway(flags, terminal)));

const examples = `
Examples:
  wayleave gateway --upstream http://127.0.0.1:3000
  wayleave gateway --upstream http://127.0.0.1:3000 --observe --json
  wayleave gateway --upstream http://app:3000 --listen :443 --tls-cert chain.pem --tls-key key.pem

SIGHUP reloads the policy file. SIGTERM and Ctrl-C finish requests in flight, then stop.`;
