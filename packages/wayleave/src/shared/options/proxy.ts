import { fixedProxy, ProxyError, type ProxyFor, proxyFromEnvironment } from '@wayleave/io/http';
import { type Terminal, UsageError } from '../../terminal/command.ts';

export interface ProxyFlags {
	proxy?: string;
}

/**
 * @param fromEnvironment whether `HTTP_PROXY` and `HTTPS_PROXY` count
 * @throws UsageError
 */
export function proxyOf({ proxy }: ProxyFlags, env: Terminal['env'], fromEnvironment: boolean): ProxyFor | undefined {
	if (proxy === 'none') return undefined;
	try {
		if (proxy !== undefined) return fixedProxy(proxy, env, '--proxy');
		return fromEnvironment ? proxyFromEnvironment(env) : undefined;
	} catch (error) {
		if (error instanceof ProxyError) throw new UsageError(error.message);
		throw error;
	}
}
