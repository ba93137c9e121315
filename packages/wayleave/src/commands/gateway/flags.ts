import type { AllowHostFlags } from '../../shared/options/allow-host.ts';
import type { ConfigFlags } from '../../shared/options/policy-file.ts';
import type { ProxyFlags } from '../../shared/options/proxy.ts';

export interface GatewayFlags extends ConfigFlags, ProxyFlags, AllowHostFlags {
	upstream: string;
	listen: string;
	observe?: boolean;
	tlsCert?: string;
	tlsKey?: string;
	metrics?: string;
	dashboard?: string | boolean;
	studioKey?: string;
	dashboardKey?: string;
	grace?: number;
	maxConnections?: number;
	headerTimeout?: number;
	requestTimeout?: number;
	idleTimeout?: number;
	resolver?: string[];
	json?: boolean;
}
