import type { ServiceConfig } from './config.ts';

/**
 * What addresses in responses begin with, without a slash at the end. Without `publicUrl` they are relative references
 * (RFC 9457 §3.1.1): neither the caller's `Host` nor a proxy's `X-Forwarded-Host` may choose where they lead.
 */
export function baseUrl({ publicUrl }: Pick<ServiceConfig, 'publicUrl'>): string {
	return publicUrl?.replace(/\/+$/, '') ?? '';
}
