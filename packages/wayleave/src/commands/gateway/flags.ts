import type { ProxyOptions } from '@wayleave/gateway';
import type { AllowHostFlags } from '../../shared/options/allow-host.ts';
import type { ConfigFlags } from '../../shared/options/policy-file.ts';
import type { ProxyFlags } from '../../shared/options/proxy.ts';

type Bounds = Pick<ProxyOptions, 'maxConnections' | 'headerTimeout' | 'requestTimeout' | 'idleTimeout'>;

export interface GatewayFlags extends ConfigFlags, ProxyFlags, AllowHostFlags, Bounds {
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
	resolver?: string[];
	json?: boolean;
}
