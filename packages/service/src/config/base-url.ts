import type { ServiceConfig } from './config.ts';

/**
 * Prefix of addresses in responses, without a trailing slash. Without `publicUrl` they are relative references (RFC
 * 9457 §3.1.1): neither the caller's `Host` nor a proxy's `X-Forwarded-Host` may choose their target.
 */
export function baseUrl({ publicUrl }: Pick<ServiceConfig, 'publicUrl'>): string {
	return publicUrl?.replace(/\/+$/, '') ?? '';
}
