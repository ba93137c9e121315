import type { Context } from 'hono';
import { baseUrl } from '../config/base-url.ts';
import type { ServiceEnv } from '../keys/service-env.ts';
import type { ServiceDeps } from '../routes/route-module.ts';

/** The address for API calls, if known; never from the caller's `Host`. */
export function addressOf(c: Context<ServiceEnv>, { config }: Pick<ServiceDeps, 'config'>): string {
	const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { localPort?: number } } };
	const port = config.open ? incoming?.socket?.localPort : undefined;
	return baseUrl(config) || (port === undefined ? 'https://THIS-SERVICE' : `http://localhost:${port}`);
}
