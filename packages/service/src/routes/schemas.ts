import { z } from '@hono/zod-openapi';

export const urlSchema = z
	.string()
	.min(1)
	.openapi({ example: 'https://example.com/article', description: 'http or https' });
