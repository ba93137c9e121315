import type { Context } from 'hono';
import type { ServiceConfig } from './config.ts';

/** The service as its caller knows it, without a slash at the end. */
export function baseUrl(c: Context, { publicUrl }: Pick<ServiceConfig, 'publicUrl'>): string {
	return publicUrl?.replace(/\/+$/, '') ?? new URL(c.req.url).origin;
}
