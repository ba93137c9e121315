import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDashboard, type DashboardFile, ledgerSource, type RunningGateway } from '@wayleave/gateway';
import type { GuardOptions } from '@wayleave/io/listen';
import type { ListenAddress } from '../../shared/options/addresses.ts';
import { servePage } from '../../shared/page-server.ts';
import { createSignIn, isLocal } from './sign-in.ts';
import { hasStudioKey, respondByStudio, type Studio } from './studio-server.ts';

export interface DashboardServerOptions {
	readonly at: ListenAddress;
	readonly running: RunningGateway;
	readonly observing: boolean;
	readonly files: ReadonlyMap<string, DashboardFile>;
	/** Further host names that the dashboard accepts. */
	readonly names?: GuardOptions;
	/** The policy studio. Default: none. */
	readonly studio?: Studio;
	/** Signs in callers from other machines. Default: none, so that only this machine is let in. */
	readonly key?: string | undefined;
}

/**
 * Shows the dashboard on a listener of its own: it is for the operator, not for the world.
 *
 * @throws an error of the system where it cannot listen.
 */
export async function serveDashboard(
	options: DashboardServerOptions,
): Promise<{ address: AddressInfo; server: Server }> {
	const { at, running, observing, files, names, studio, key } = options;
	const signIn = createSignIn(key);
	const source = ledgerSource({ db: running.ledger.db, gateway: () => running.gateway(), running, observing });
	const show = createDashboard({ source, files });
	return servePage({
		at,
		async show(request, message) {
			// Scripts may bring the key of the studio instead, which the studio checks itself.
			const isByKey = studio !== undefined && hasStudioKey(message);
			return (
				(isByKey ? undefined : await signIn(message)) ??
				(studio && (await respondByStudio(studio, message, !isByKey || isLocal(message)))) ??
				show(request)
			);
		},
		elsewhere: 'the dashboard is at /.wayleave/',
		...(names && { names }),
	});
}
