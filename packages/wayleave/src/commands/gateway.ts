import { Command } from 'commander';
import type { CommandFactory } from '../command.ts';
import { usualDashboard, usualGrace } from '../options/defaults.ts';
import { seconds } from '../options/numbers.ts';
import type { ConfigFlags } from '../options/policy-file.ts';

const work = () => import('../actions/gateway.ts');

export interface GatewayFlags extends ConfigFlags {
	upstream: string;
	listen: string;
	observe?: boolean;
	tlsCert?: string;
	tlsKey?: string;
	metrics?: string;
	dashboard?: string | boolean;
	grace?: number;
	json?: boolean;
}

export const gatewayCommand: CommandFactory = (terminal, done) =>
	new Command('gateway')
		.requiredOption('--upstream <URL>', 'the site, such as http://127.0.0.1:3000')
		.option('--config <FILE>', 'the policy file (default: wayleave.config.yaml, where there is one)')
		.option('--origin <URL>', 'the site as the world knows it (default: as in the policy file)')
		.option('--listen <ADDRESS:PORT>', 'where clients come in', '127.0.0.1:8080')
		.option('--observe', 'deny nobody and slow nobody down: only record what would have been done')
		.option('--tls-cert <FILE>', 'certificate chain, PEM: clients come in by TLS')
		.option('--tls-key <FILE>', 'its key, PEM')
		.option('--metrics <ADDRESS:PORT>', 'serve /metrics for Prometheus, and /healthz')
		.option('--dashboard <ADDRESS:PORT>', `show the dashboard there (default: ${usualDashboard}, where that is free)`)
		.option('--no-dashboard', 'show none')
		.option(
			'--grace <SECONDS>',
			`what is in flight may take so long at the end (default ${usualGrace / 1000})`,
			seconds,
		)
		.option('--json', 'each request of an agent as a line on stdout')
		.addHelpText('after', examples)
		.action(async (flags: GatewayFlags) => done(await (await work()).runGateway(flags, terminal)));

const examples = `
Examples:
  wayleave gateway --upstream http://127.0.0.1:3000
  wayleave gateway --upstream http://127.0.0.1:3000 --observe --json
  wayleave gateway --upstream http://app:3000 --listen :443 --tls-cert chain.pem --tls-key key.pem

SIGHUP reads the policy file again; SIGTERM and Ctrl-C end what is in flight, then stop.`;
